"""Logs of other programs, problem by problem, as answers."""

from horsesense.results.logs.document import Logged
from horsesense.results.logs.reading import LOG_FORMATS, LogFormat, read_log, read_log_file

__all__ = [
    "LOG_FORMATS",
    "LogFormat",
    "Logged",
    "read_log",
    "read_log_file",
]
