"""Documents in one form."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


def canonical(value: Any) -> str:
    """Compact JSON with sorted members, and numbers as the platform and buyers write them: equal
    documents have the same text.
    """
    if isinstance(value, dict):
        members = (f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return _number(float(value))  # as they read it
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """The shortest digits: written out from 0.00001 on, and with a short exponent below."""
    text = repr(value)
    digits, _, exponent = text.partition("e")
    if not exponent:
        return text
    return f"{Decimal(text):f}" if int(exponent) == -5 else f"{digits}e{int(exponent):+d}"
