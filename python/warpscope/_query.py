"""Values in the notation of SQL and of the command line."""

import math
import operator
import re

# Text, names and comments, in which a colon is no parameter.
_PARAMETERS = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | `[^`]*` | \[[^]]*\] | --[^\n]* | /\*.*?\*/ | (?<!\w):([A-Za-z_]\w*)""",
    re.VERBOSE | re.DOTALL)


def _integer(value):
    try:
        return operator.index(value)
    except TypeError:
        return None


def literal(value):
    """Returns a value as SQL: 'text', 1, 0.5, NULL, or (1, 2) for a list, tuple, set, range or array."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("text with a NUL character cannot be part of a query")
        return "'" + value.replace("'", "''") + "'"
    number = _integer(value)
    if number is not None:
        return str(int(number))
    if hasattr(value, "__iter__") and not isinstance(value, (bytes, dict)):
        return "(" + ", ".join(literal(each) for each in value) + ")"
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"a value of type {type(value).__name__} cannot be part of a query") from None
    if math.isnan(number):
        return "NULL"
    return "9e999" if number == math.inf else "-9e999" if number == -math.inf else repr(number)


def with_values(query, values):
    """Replaces the parameters :NAME of a query by SQL literals. Raises TypeError for missing or unused values."""
    used = set()

    def replaced(match):
        name = match.group(1)
        if name is None:
            return match.group()
        if name not in values:
            raise TypeError(f"the query has a parameter :{name}; pass {name}=VALUE")
        used.add(name)
        return literal(values[name])

    text = _PARAMETERS.sub(replaced, query) if values or ":" in query else query
    unused = sorted(set(values) - used)
    if unused:
        raise TypeError(f"the query has no parameter :{unused[0]}")
    return text


def setting(value):
    """Returns a parameter's value as on the command line: true, 15, "a,b" for a list."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset, range)):
        return ",".join(setting(each) for each in value)
    return str(value)


def ranks(value):
    """Returns ranks as on the command line: 3, [0, 3], range(4) or "0,3-5"."""
    if value is None or isinstance(value, str):
        return value
    number = _integer(value)
    return str(number) if number is not None else ",".join(str(operator.index(each)) for each in value)


def time(value):
    """Returns a time as on the command line: ns since the start of the profile, a timedelta, or text like "12.3ms"."""
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "total_seconds"):
        exact = getattr(value, "value", None)  # of a pandas.Timedelta, in ns
        return str(exact if isinstance(exact, int) else round(value.total_seconds() * 1e6) * 1000)
    number = _integer(value)
    return str(number if number is not None else round(float(value)))
