"""Data sets for PyTorch, whose package is installed apart.

    rows = ossicle.torch.DataSet("rooms", sounds=["mix", "near"])
    loader = torch.utils.data.DataLoader(rows, batch_size=8, shuffle=True, collate_fn=ossicle.torch.collate)
    for batch in loader:
        batch["mix"]            # rows × channels × frames
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from . import data
from ._errors import MissingLibrary, refused
from ._sound import PathLike

try:
    import torch
    import torch.utils.data
except ImportError as error:
    raise MissingLibrary(f"ossicle.torch needs PyTorch ({error}): install it as https://pytorch.org says.") from None


class DataSet(torch.utils.data.Dataset):
    """Rows as dictionaries: ``id``, ``rate``, ``record``, and a tensor (channels × frames, float32) for each sound; ``response`` is a list
    of tensors.

    Args:
        source, sounds: As for `ossicle.data.DataSet`.
        transform: Called with each row's dictionary; what it returns is the item.
    """

    def __init__(
        self,
        source: PathLike,
        *,
        sounds: Optional[Sequence[str]] = None,
        transform: Optional[Callable[[Dict[str, Any]], Any]] = None,
    ) -> None:
        self._rows, self._transform = data.DataSet(source, sounds=sounds), transform

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Any:
        row = self._rows[index]
        item: Dict[str, Any] = {"id": row.id, "rate": row.rate, "record": row.record}
        for name, sound in row.sounds.items():
            item[name] = [_tensor(each) for each in sound] if isinstance(sound, list) else _tensor(sound)
        return item if self._transform is None else self._transform(item)


def collate(items: List[Dict[str, Any]]) -> Dict[str, Any]:
    """Rows as one batch: sounds as rows × channels × frames, the shorter ones filled up with silence; their own numbers of frames as
    ``frames[name]``; responses (of the first source) likewise; all else as lists.

    Raises:
        ArgumentError: sounds of one name have different numbers of channels.
    """
    batch: Dict[str, Any] = {"frames": {}}
    for name in items[0]:
        values = [item[name][0] if isinstance(item[name], list) and torch.is_tensor(item[name][0]) else item[name] for item in items]
        if not torch.is_tensor(values[0]):
            batch[name] = values
            continue
        if len({value.shape[0] for value in values}) > 1:
            raise refused(
                name, f"has {sorted({value.shape[0] for value in values})} channels", "sounds of a batch have as many",
                "give rows one receiver, or batches of one row")
        longest = max(value.shape[-1] for value in values)
        batch["frames"][name] = torch.tensor([value.shape[-1] for value in values])
        batch[name] = torch.stack([torch.nn.functional.pad(value, (0, longest - value.shape[-1])) for value in values])
    return batch


def _tensor(sound: Any) -> "torch.Tensor":
    return torch.from_numpy(np.asarray(sound))
