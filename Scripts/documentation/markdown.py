"""What a document in Markdown has, as GitHub reads it."""
import re


def outside_code(text, change):
    """The text with what stands outside of fenced blocks changed by a function."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


def anchors(text):
    """The headings and the anchors that GitHub gives them."""
    found = []
    outside_code(text, lambda part: found.extend(re.findall(r"^#+ +(.+?) *$", part, re.M)) or part)
    return [(title, slug(title)) for title in found]


def slug(title):
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
