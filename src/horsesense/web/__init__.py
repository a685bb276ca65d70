"""Our models for other programs: an HTTP server with the completions interface of OpenAI."""

from horsesense.web.application import MAX_BODY_BYTES, make_application
from horsesense.web.inference import Inference
from horsesense.web.server import check_host, check_serving, listen, serve, serving

__all__ = [
    "MAX_BODY_BYTES",
    "Inference",
    "check_host",
    "check_serving",
    "listen",
    "make_application",
    "serve",
    "serving",
]
