"""The base class of language models behind a server: what they share, whatever the interface.

Nothing a server says is taken for granted. Before a run, canaries are sent: a few texts whose
tokens must be those of the tokenizer in use, and a query whose answer must look like
log-probabilities. The same checks apply to each answer later on.
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import PurePosixPath
from typing import Any, ClassVar

from horsesense.errors import ModelError, ServerError, UnreadableError, quoted
from horsesense.models.loading import LoadOptions
from horsesense.models.protocol import Answers, Family, LanguageModel, ModelInfo
from horsesense.models.query import Query, QueryKind, causal_query
from horsesense.models.server.answering_name import AnsweringName
from horsesense.models.server.client import Client
from horsesense.models.server.local_tokenizer import LocalTokenizer, load_tokenizer
from horsesense.models.server.pieces import align_pieces
from horsesense.models.tokens import Tokenization

# Texts that tokenizers split differently: a space first, capitals, an apostrophe, other letters.
CANARIES = (
    "The kettle doesn't stand on the small shelf because it's too wide.",
    " Zoë's café SOLD naïve déjà-vu paintings — for 1,250 €.",
    "An owl hooted; the mice (all 17) hid under Ms. Ångström's umbrella.",
)
# As many equal log-probabilities are no coincidence.
_SUSPICIOUS = 4
_ABOVE_ZERO = 1e-6
# Servers write this number for minus infinity.
_LOWEST = -9999.0
_MOST_TOKENS = 1 << 32
_DIGITS = 20
# Programs that call themselves the owners of what they serve.
_PROGRAMS = {"vllm": "vllm", "sglang": "sglang", "llamacpp": "llama.cpp"}
# The number of llama.cpp's build if whoever built it gave none.
_UNKNOWN_BUILD = "b0"
# What a server's list says of a model that its answers may depend on, unlike prices and limits.
_LASTING = frozenset(
    ["id", "root", "parent", "owned_by", "max_model_len", "dtype", "revision", "meta"]
    + ["quantization", "quantization_config", "n_params", "n_vocab", "n_embd", "size", "ftype"]
    + ["n_ctx_train", "vocab_type"]
)
# A version after the name of a model, such as -2026-01-01.
_VERSION = re.compile(r"([-:@/]v?[0-9][0-9._-]*)?")


class ServedModel(LanguageModel):
    """A causal language model behind a server.

    A subclass sets `kind`, describes the model, and returns the log-probabilities of a query. It
    also tokenizes, if the server can; otherwise users name the tokenizer in the options.
    """

    kind: ClassVar[str]

    def __init__(self, model: str, url: str, options: LoadOptions) -> None:
        self.name = f"{self.kind}:{model}"
        options.refuse_revision(self.name)
        self.model, self.options = model, options
        self.client = Client(url, options.server)
        # The tokens that the server has returned, as it spells them.
        self.pieces: dict[int, str] = {}
        try:
            self.local: LocalTokenizer | None = load_tokenizer(options)
            self.info = self.describe()
            self._answering = AnsweringName(options.cache, self.info.fingerprint, options.progress)
            self.check()
        except BaseException:
            self.client.close()
            raise

    @abstractmethod
    def describe(self) -> ModelInfo:
        """Ask the server about the model; see `make_info`."""
        ...

    @abstractmethod
    def _log_probs(self, query: Query) -> Sequence[float]:
        """Return the log-probability of each token of a query but the first."""
        ...

    def remote_tokens(self, text: str, *, specials: bool) -> tuple[list[int], list[str]]:
        """Return the tokens of a text and the pieces they spell, as vLLM's `/tokenize` does."""
        body = {
            "model": self.model,
            "prompt": text,
            "add_special_tokens": specials,
            "return_token_strs": True,
        }
        answer = self.client.post("/tokenize", body)
        ids, pieces = self.client.part(answer, "tokens"), self.client.part(answer, "token_strs")
        are_ids = are_all(int, ids) and all(0 <= token < _MOST_TOKENS for token in ids)
        if not (are_ids and are_all(str, pieces) and len(ids) == len(pieces)):
            raise self.client.unusable("tokens of another form than /tokenize has")
        return ids, pieces

    def _tokenize(self, text: str, *, specials: bool) -> Tokenization:
        """Tokenize a text on the server."""
        ids, pieces = self.remote_tokens(text, specials=specials)
        self.pieces.update(zip(ids, pieces, strict=True))
        tokenization = align_pieces(text, ids, pieces)
        if tokenization is None:
            raise UnreadableError(
                f"the tokens of {self.name} do not spell {quoted(text)}, but"
                f" {quoted(''.join(pieces))}; name its tokenizer with --tokenizer"
            )
        return tokenization

    def _token_text(self, token: int) -> str:
        """Return a token that the server has returned, as it is written in the vocabulary."""
        if token not in self.pieces:
            raise ModelError(f"{self.name} has not returned token {token} yet")
        return self.pieces[token]

    def remote_specials(self) -> dict[str, Any]:
        """Return the special tokens that the server adds around a text."""
        text = CANARIES[0]
        whole, bare = (self.remote_tokens(text, specials=each)[0] for each in (True, False))
        for start in range(len(whole) - len(bare) + 1):
            end = start + len(bare)
            if whole[start:end] == bare:
                return {"before": tuple(whole[:start]), "after": tuple(whole[end:])}
        raise self.client.unusable(
            f"other tokens for {quoted(text)} with special tokens than without",
            "name the tokenizer of the model with --tokenizer",
        )

    def listed(self) -> dict[str, Any]:
        """Return what the server's list of models says of this one; empty if it is not there."""
        return listed_model(self.client, self.model)

    def not_listed(self) -> ServerError:
        """Return the error for a model that the server does not have."""
        names = ", ".join(self.client.model_names()) or "not listed"
        return ServerError(
            f"{self.client.url} has no model named {self.model!r}; its models are {names}: write"
            " the name before @ as the server does"
        )

    def check_name(self, answer: Any) -> None:
        """Raise an error if an answer is that of another model.

        The model may answer as one of its versions, such as ant-2026-01-01, but always the same.
        """
        name = answer.get("model") if isinstance(answer, dict) else None
        if not isinstance(name, str):
            return
        is_version = name.startswith(self.model) and _VERSION.fullmatch(name[len(self.model) :])
        expected = self._answering.first(name) if is_version else self.model
        if name != expected:
            raise self.client.unusable(
                f"the answer of another model, {quoted(name)} instead of {expected!r}",
                "write the name before @ as the server does; no answer of it is stored",
            )

    @property
    def is_served(self) -> bool:
        """True, as it runs behind a server."""
        return True

    @property
    def batching(self) -> str:
        """How it computes batches: as the server does."""
        return "server"

    def make_info(
        self,
        *,
        facts: Any,
        server: str = "",
        version: str = "",
        architecture: str = "",
        context: int | None = None,
        **known: Any,
    ) -> ModelInfo:
        """Return the info of the model from what the server says.

        `facts` are hashed; what depends on the address or the time is left out of them. The special
        tokens are those of the tokenizer on this machine, if there is one. `server` is the
        program, and `version` its version, if the program's name has none.
        """
        if self.local is not None:
            known = {**known, **self.local.traits, "tokenizer": self.local.hash}
        return ModelInfo(
            name=self.name,
            family=Family.CAUSAL,
            architecture=self.client.plain(architecture),
            config=hash_facts(facts),
            context=context,
            server=self.client.plain(f"{server or self.kind} {version}"),
            **known,
        )

    def check(self) -> None:
        """Send canaries, so that a server that cannot be used is recognized before the run."""
        self.check_tokenizer()
        query = self.canary_query()
        if query is not None:
            self.checked(query)

    def check_tokenizer(self) -> None:
        """Compare the tokenizer on this machine with the server's, if there are both."""
        if self.local is None:
            return
        for text in CANARIES:
            ours = self.local.tokenize(text).ids
            theirs = self.server_ids(text)
            if theirs is not None and theirs != ours:
                raise self.other_tokenizer(text, ours, theirs)

    def server_ids(self, text: str) -> tuple[int, ...] | None:
        """Return the tokens of a text as the server counts them; None if it does not tokenize."""
        return None

    def other_tokenizer(self, text: str, ours: object, theirs: object) -> ServerError:
        """Return the error for a tokenizer that is not the served model's."""
        tokenizer = self.options.server.tokenizer
        return ServerError(
            f"the tokenizer {tokenizer} is not that of {self.model} at {self.client.url}: it reads"
            f" {quoted(text)} as {quoted(str(ours))}, but the server as {quoted(str(theirs))}; name"
            " the folder or the model that the server has loaded, or leave out --tokenizer"
        )

    def canary_query(self) -> Query | None:
        """Return a query to try before the run."""
        return causal_query(self.tokenize(CANARIES[0]).ids)

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """Tokenize a text, on this machine if its tokenizer is known."""
        if self.local is not None:
            return self.local.tokenize(text, specials=specials)
        return self._tokenize(text, specials=specials)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Tokenize several texts, with special tokens, in their order."""
        if self.local is not None:
            return self.local.tokenize_all(texts)
        return self._tokenized_in_order(texts)

    def _tokenized_in_order(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Yield the tokens of each text as soon as those of all texts before it are there."""
        tokenized: dict[str, Tokenization] = {}
        remaining = iter(texts)
        text = next(remaining, None)
        with closing(self.client.batches(tuple(dict.fromkeys(texts)), self.tokenize)) as batches:
            for batch in batches:
                tokenized.update(batch)
                while text is not None and text in tokenized:
                    yield tokenized[text]
                    text = next(remaining, None)

    def token_text(self, token: int) -> str:
        """Return the token as it is written in the vocabulary."""
        return self._token_text(token) if self.local is None else self.local.token_text(token)

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries that are not `answered`, and yield those that are ready."""
        missing = [query for query in queries if query not in answered]
        for query in missing:
            self.check_query(query)
        self.forget(query for query in queries if query in answered)
        with closing(self.client.batches(missing, self.checked)) as batches:
            for batch in batches:
                yield batch
                # By now, the caller has stored it.
                self.forget(query for query, _ in batch)

    def forget(self, queries: Iterable[Query]) -> None:
        """Forget the answers to queries, if they were kept until the caller had them."""
        return None

    def checked(self, query: Query) -> tuple[float, ...]:
        """Ask the server, and return the answer if it can be one."""
        values = tuple(self._log_probs(query))
        self.check_answer(query, values)
        return tuple(map(float, values))

    def check_answer(self, query: Query, values: Sequence[Any]) -> None:
        """Raise an error if values cannot be the answer to a query."""
        fault = fault_of(query, values)
        if fault:
            raise self.client.unusable(f"no log-probabilities of {self.model}: {fault}", NO_USE)

    def check_query(self, query: Query) -> None:
        """Raise an error if the model cannot answer a query."""
        if query.kind is not QueryKind.CAUSAL:
            raise ModelError(f"{self.name} is a causal model; it does not answer {query.kind}")
        context, size = self.info.context, len(query.ids)
        if context is not None and size > context:
            raise ModelError(
                f"{self.name} reads at most {context:,} tokens, and a text has {size:,}; shorten"
                " it, or start the server with a longer context"
            )

    def release(self) -> None:
        """Close the connections to the server."""
        self.client.close()


NO_USE = (
    "it may ignore what it is asked for, so no answer of it is stored; choose the kind of server"
    " that it is, or a server that returns the log-probabilities of a prompt"
)


def listed_model(client: Client, name: str) -> dict[str, Any]:
    """Return the lasting facts in a server's list of models about one; empty if it is not there."""
    answer = client.get_if_there("/v1/models")
    entries = answer.get("data") if isinstance(answer, dict) else None
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("id") == name:
            return lasting_facts(entry)
    return {}


def lasting_facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a list of models says of one that does not change while the model stays the same.

    >>> lasting_facts({"id": "ant", "created": 5, "meta": {"n_params": 7, "n_ctx": 512}})
    {'id': 'ant', 'meta': {'n_params': 7}}
    """
    facts = {key: entry[key] for key in entry if key in _LASTING}
    if isinstance(facts.get("meta"), Mapping):
        facts["meta"] = lasting_facts(facts["meta"])
    return facts


def server_of(client: Client, entry: Mapping[str, Any]) -> str:
    """Return the program that serves a listed model and its version, as far as it says so."""
    owner = str(entry.get("owned_by", ""))
    answer = client.get_if_there("/props" if owner == "llamacpp" else "/version")
    said = answer if isinstance(answer, dict) else {}
    name = str(said.get("server") or (owner if owner in _PROGRAMS else ""))
    build = str(said.get("build_info", "")).partition("-")[0]
    version = str(said.get("version") or (build if build != _UNKNOWN_BUILD else ""))
    return client.plain(f"{_PROGRAMS.get(name, name)} {version}") if name else ""


def fault_of(query: Query, values: Sequence[Any]) -> str:
    """Return why values cannot be the answer to a query; an empty string if they can.

    >>> fault_of(causal_query((4, 5, 6)), (-0.5,))
    'there is 1 value instead of 2'
    >>> fault_of(causal_query((4, 5, 6)), (-0.5, -0.25))
    ''
    """
    count, size = len(values), query.size
    if count != size:
        verb, noun = ("is", "value") if count == 1 else ("are", "values")
        return f"there {verb} {count} {noun} instead of {size}"
    for number, value in enumerate(values, start=2):
        if not isinstance(value, int | float) or isinstance(value, bool):
            return f"the value of token {number} is {quoted(json.dumps(value))}"
        if not _LOWEST < value <= _ABOVE_ZERO:
            return f"the value of token {number} is {json.dumps(value)[:_DIGITS]}"
    if len(set(values)) == 1 and (size >= _SUSPICIOUS or (size > 1 and values[0] == 0)):
        return f"all {size} values are {values[0]:.6g}"
    return ""


def are_all(kind: type, values: Any) -> bool:
    """Return whether these are a list of values of that type."""
    return isinstance(values, list) and all(type(value) is kind for value in values)


def hash_facts(facts: Any) -> str:
    """Return the hash of what a server says of a model, wherever its folder is.

    >>> hash_facts({"root": "/a/ant"}) == hash_facts({"root": "/b/ant"})
    True
    """
    content = json.dumps(_movable(facts), sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _movable(facts: Any) -> Any:
    """Return facts without the folders above a model's own."""
    match facts:
        case Mapping():
            return {key: _movable(facts[key]) for key in facts}
        case list() | tuple():
            return [_movable(fact) for fact in facts]
        case str() if facts.startswith("/"):
            return PurePosixPath(facts).name
        case _:
            return facts
