"""Models behind SGLang, whose own interface returns the log-probabilities of a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from horsesense.errors import quoted
from horsesense.models.protocol import ModelInfo
from horsesense.models.query import Query
from horsesense.models.server.client import Refusal
from horsesense.models.server.model import NO_USE, ServedModel, are_all


class SGLang(ServedModel):
    """A causal language model behind SGLang."""

    kind = "sglang"

    def describe(self) -> ModelInfo:
        """Ask for the version of the server, and for the model that it has loaded."""
        entry = self.listed()
        if not entry:
            raise self.not_listed()
        # The names with get_ are those of older versions.
        model = self._first_of("/model_info", "/get_model_info")
        server = self._first_of("/server_info", "/get_server_info")
        longest = entry.get("max_model_len") or server.get("context_length")
        kinds = model.get("architectures")
        known: dict[str, Any] = {} if self.local else self.remote_specials()
        facts = {key: model.get(key) for key in ("model_path", "tokenizer_path", "model_type")}
        return self.make_info(
            facts={"listed": entry, **facts},
            version=str(server.get("version", "")),
            architecture=str(kinds[0]) if isinstance(kinds, list) and kinds else "",
            context=longest if isinstance(longest, int) else None,
            **known,
        )

    def remote_tokens(self, text: str, *, specials: bool) -> tuple[list[int], list[str]]:
        """Return the tokens of a text and the pieces they spell."""
        client, remedy = self.client, f"name the tokenizer of {self.model} with --tokenizer"
        try:
            body = {"model": self.model, "prompt": text, "add_special_tokens": specials}
            ids = self._ids_in(client.post("/tokenize", body))
            singly = {
                "model": self.model,
                "tokens": [[token] for token in ids],
                "skip_special_tokens": False,
            }
            pieces = client.part(client.post("/detokenize", singly), "text")
        except Refusal as error:
            if not error.is_absent:
                raise
            raise client.unusable(f"no tokens: {error.reason}", remedy) from None
        if not are_all(str, pieces) or len(pieces) != len(ids):
            raise client.unusable("no text for each token", remedy)
        return ids, pieces

    def server_ids(self, text: str) -> tuple[int, ...] | None:
        """Return the tokens of a text as the server's tokenizer counts them."""
        try:
            answer = self.client.post("/tokenize", {"model": self.model, "prompt": text})
        except Refusal as error:
            if not error.is_absent:
                raise
            return None  # as versions without it
        return tuple(self._ids_in(answer))

    def _ids_in(self, answer: Any) -> list[int]:
        ids = self.client.part(answer, "tokens")
        if not are_all(int, ids):
            raise self.client.unusable("tokens of another form than /tokenize has")
        return list(ids)

    def _log_probs(self, query: Query) -> Sequence[float]:
        ids, client = query.ids, self.client
        body = {
            "input_ids": list(ids),
            "return_logprob": True,
            "logprob_start_len": 0,
            "sampling_params": {"max_new_tokens": 0, "temperature": 0},
        }
        answer = client.post("/generate", body, prompt_tokens=len(ids))
        entries = client.part(answer, "meta_info", "input_token_logprobs")
        if not isinstance(entries, list) or len(entries) != len(ids):
            count = len(entries) if isinstance(entries, list) else 0
            raise client.unusable(f"{count} values for {len(ids)} tokens", NO_USE)
        returned = [client.part(entry, 1) for entry in entries]
        if returned != list(ids):
            raise client.unusable(
                f"the log-probabilities of other tokens than were sent, {quoted(str(returned))}"
                f" instead of {quoted(str(list(ids)))}",
                NO_USE,
            )
        if entries[0][0] is not None:
            raise client.unusable("log-probabilities that do not start with null", NO_USE)
        return [entry[0] for entry in entries[1:]]

    def _first_of(self, *paths: str) -> dict[str, Any]:
        """Return the JSON object at the first path that the server has."""
        for path in paths:
            answer = self.client.get_if_there(path)
            if isinstance(answer, dict):
                return answer
        return {}
