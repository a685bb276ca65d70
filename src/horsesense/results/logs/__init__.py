"""Read the logs of other evaluation programs as answer sets."""

from horsesense.results.logs.document import Logged
from horsesense.results.logs.reading import LOG_FORMATS, LogFormat, read_log, read_log_file

__all__ = [
    "LOG_FORMATS",
    "LogFormat",
    "Logged",
    "read_log",
    "read_log_file",
]
