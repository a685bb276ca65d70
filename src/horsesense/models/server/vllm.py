"""Models behind vLLM, which returns the log-probabilities of a prompt with its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from horsesense.errors import quoted
from horsesense.models.protocol import ModelInfo
from horsesense.models.query import Query
from horsesense.models.server.model import NO_USE, ServedModel


class Vllm(ServedModel):
    """A causal language model behind vLLM."""

    kind = "vllm"

    def describe(self) -> ModelInfo:
        """Ask for the version of the server and the length of the context."""
        entry = self.listed()
        if not entry:
            raise self.not_listed()
        version = self.client.get_if_there("/version")
        longest = entry.get("max_model_len")
        known: dict[str, Any] = {} if self.local else self.remote_specials()
        return self.make_info(
            facts=entry,
            version=str(version.get("version", "")) if isinstance(version, dict) else "",
            # One token is always generated.
            context=longest - 1 if isinstance(longest, int) else None,
            **known,
        )

    def server_ids(self, text: str) -> tuple[int, ...]:
        """Return the tokens of a text as the server's tokenizer counts them."""
        return tuple(self.remote_tokens(text, specials=True)[0])

    def _log_probs(self, query: Query) -> Sequence[float]:
        ids, client = query.ids, self.client
        body = {
            "model": self.model,
            "prompt": list(ids),
            "max_tokens": 1,
            "temperature": 0,
            "prompt_logprobs": 0,
            "return_token_ids": True,
            "add_special_tokens": False,
        }
        answer = client.post("/v1/completions", body, prompt_tokens=len(ids), reply_tokens=1)
        self.check_name(answer)
        choice = client.part(answer, "choices", 0)
        entries = client.part(choice, "prompt_logprobs")
        self.check_ids(ids, client.part(choice, "prompt_token_ids"))
        if not isinstance(entries, list) or not entries or entries[0] is not None:
            raise client.unusable("log-probabilities that do not start with null", NO_USE)
        if len(entries) != len(ids):
            raise client.unusable(f"{len(entries)} values for {len(ids)} tokens", NO_USE)
        return [
            client.part(entry, str(token), "logprob")
            for entry, token in zip(entries[1:], ids[1:], strict=True)
        ]

    def check_ids(self, sent: Sequence[int], returned: Any) -> None:
        """Raise an error if the server has read other tokens than those that were sent."""
        if returned != list(sent):
            raise self.client.unusable(
                f"the log-probabilities of other tokens than were sent, {quoted(str(returned))}"
                f" instead of {quoted(str(list(sent)))}",
                NO_USE,
            )
