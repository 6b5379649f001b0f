// Where additions to Apple's classes live.

/// What Ossicle adds to a class of Apple's, beyond Apple's own members.
///
/// Additions are members of an extension of this protocol, not of the class: wherever a client's extension or subclass declares a member of the
/// same name, the client's is meant, without an ambiguity and without an override.
public protocol OssicleAdditions: AnyObject {}
