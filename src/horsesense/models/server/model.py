"""The base class of language models behind a server: what they share, whatever the interface.

Nothing a server says is taken for granted. Before a run, canaries are sent: a few texts whose
tokens must be those of the tokenizer in use, and a query whose answer must look like
log-probabilities. The same checks apply to each answer later on.
"""

from __future__ import annotations

import hashlib
import json
import math
from abc import abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import PurePosixPath
from typing import Any, ClassVar

from horsesense.errors import ModelError, ServerError, quoted
from horsesense.models.loading import LoadOptions
from horsesense.models.protocol import Answers, Family, LanguageModel, ModelInfo
from horsesense.models.query import Query, QueryKind, causal_query
from horsesense.models.server.client import Client
from horsesense.models.server.local_tokenizer import LocalTokenizer, load_tokenizer
from horsesense.models.tokens import Tokenization

# Texts that tokenizers split differently: a space first, capitals, an apostrophe, other letters.
CANARIES = (
    "The trophy doesn't fit into the brown suitcase because it's too large.",
    " Zoë's café SOLD naïve déjà-vu paintings — for 1,250 €.",
    "An owl hooted; the mice (all 17) hid under Ms. Ångström's umbrella.",
)
# As many equal log-probabilities are no coincidence.
_SUSPICIOUS = 4
_ABOVE_ZERO = 1e-6
# What a server says of a model that has nothing to do with its answers.
_PASSING = frozenset(["created", "permission", "object", "loaded", "status"])


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
        try:
            self.local: LocalTokenizer | None = load_tokenizer(options)
            self.info = self.describe()
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

    def _tokenize(self, text: str, *, specials: bool) -> Tokenization:
        """Tokenize a text on the server."""
        raise ServerError(
            f"{self.client.url} does not tokenize; name the tokenizer of {self.model} with"
            " --tokenizer, a folder or the name of a model"
        )

    def _token_text(self, token: int) -> str:
        """Return a token that the server has returned, as it is written in the vocabulary."""
        raise ModelError(f"{self.name} has not returned token {token} yet")

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
        version: str = "",
        server: str = "",
        architecture: str = "",
        context: int | None = None,
        before: tuple[int, ...] = (),
        **known: Any,
    ) -> ModelInfo:
        """Return the info of the model from what the server says.

        `facts` are hashed; what depends on the address or the time is left out of them. The special
        tokens are those of the tokenizer on this machine, if there is one.
        """
        if self.local is not None:
            known = {**self.local.traits, **known}
            known["tokenizer"] = self.local.hash
        else:
            known = {"before": before, **known}
        return ModelInfo(
            name=self.name,
            family=Family.CAUSAL,
            architecture=architecture,
            config=hash_facts(facts),
            context=context,
            server=f"{server or self.kind} {version}".strip(),
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
        tokenized = dict(self.client.each(tuple(dict.fromkeys(texts)), self.tokenize))
        return map(tokenized.__getitem__, texts)

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
        with closing(self.client.batches(missing, self.checked)) as batches:
            yield from batches

    def checked(self, query: Query) -> tuple[float, ...]:
        """Ask the server, and return the answer if it can be one."""
        values = tuple(self._log_probs(query))
        fault = fault_of(query, values)
        if fault:
            raise self.client.unusable(f"no log-probabilities of {self.model}: {fault}", _NO_USE)
        return values

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


_NO_USE = (
    "it may ignore what it is asked for, so no answer of it is stored; choose the kind of server"
    " that it is, or a server that returns the log-probabilities of a prompt"
)


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
        if not math.isfinite(value) or value > _ABOVE_ZERO:
            return f"the value of token {number} is {value:.6g}"
    if len(set(values)) == 1 and (size >= _SUSPICIOUS or (size > 1 and values[0] == 0)):
        return f"all {size} values are {values[0]:.6g}"
    return ""


def hash_facts(facts: Any) -> str:
    """Return the hash of what a server says of a model, without what changes with the time.

    >>> hash_facts({"id": "ant", "created": 1}) == hash_facts({"id": "ant", "created": 2})
    True
    """
    content = json.dumps(_lasting(facts), sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _lasting(facts: Any) -> Any:
    """Return facts without times, and without the folders above a model's own."""
    match facts:
        case Mapping():
            return {key: _lasting(facts[key]) for key in facts if key not in _PASSING}
        case list() | tuple():
            return [_lasting(fact) for fact in facts]
        case str() if facts.startswith("/"):
            return PurePosixPath(facts).name
        case _:
            return facts
