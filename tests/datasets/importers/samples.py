"""A small file of our own in every format: lorries and bridges, owls and voles."""

import json
from importlib import import_module
from io import BytesIO
from typing import Any

from tests.datasets.importers.perturbed_table import HIGH, LOW, table

LIGHT = "The lorry crossed the bridge because it was light."
STRONG = "The lorry crossed the bridge because it was strong."


def json_lines(*rows: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def json_list(*rows: dict[str, Any]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n"


def options(name: str, word: str, answer: str | None, **more: Any) -> dict[str, Any]:
    """A row as in WinoGrande's files."""
    row = {"qID": name, "sentence": f"The lorry hit the bridge because the _ was {word}."}
    row |= {"option1": "lorry", "option2": "bridge"}
    return row | ({} if answer is None else {"answer": answer}) | more


def coined(name: str, definition: str, word: str, answer: str, **more: Any) -> dict[str, Any]:
    """A row with an invented word, as in WinoDict."""
    row = {"id": name, "definition": definition, "fake_lemma": word}
    row |= {"sentence": f"The lorry hit the bridge because the _ was {word}."}
    return row | {"option1": "lorry", "option2": "bridge", "answer": answer} | more


def schema_element(
    before: str = "The owl saw the vole because",
    pronoun: str = "it",
    after: str = "was awake.",
    answers: tuple[str, ...] = ("The owl", "The vole"),
    right: str = "A",
    more: str = "",
) -> str:
    """A problem as Davis' files have it, on four lines."""
    listed = "".join(f"<answer>{answer}</answer>" for answer in answers)
    return (
        f"<schema><text><txt1>{before}</txt1> <pron>{pronoun}</pron>\n<txt2>{after}</txt2></text>\n"
        f"<answers>{listed}</answers>\n<correctAnswer>{right}</correctAnswer>{more}</schema>\n"
    )


def collection(*elements: str, declaration: str = '<?xml version="1.0"?>') -> str:
    return f"{declaration}\n<collection>\n{''.join(elements)}</collection>\n"


def thesis(*rows: str, head: str = "dataset name: roads", mode: str = "by answer") -> str:
    return "\n".join((f"schema type: adversarial; {head}", mode, *rows))


def thesis_row(
    number: int, text: str, options: str, right: int, letter: str = "s", schema: int = 1
) -> str:
    place = f"{schema:>3}/ {'ab'[(number - 1) % 2]}/{schema:>3}/{number:>4}/{number:>4}"
    return f"{letter}/{place}: {text}&{options}&{right}"


def _substituted(number: int, sentence: str, right: int) -> list[dict[str, Any]]:
    return [
        {
            "question_id": number,
            "substitution": sentence.replace("it was", f"{phrase} was"),
            "correctness": place == right,
        }
        for place, phrase in enumerate(("the lorry", "the bridge"))
    ]


def _spans(idx: int, text: str, phrase: str, place: int, *, label: bool) -> dict[str, Any]:
    target = {"span1_text": phrase, "span1_index": place, "span2_text": "it", "span2_index": 6}
    return {"text": text, "target": target, "idx": idx, "label": label}


def _xwino(word: str, right: int) -> str:
    tokens = ["The", "lorry", "crossed", "the", "bridge", "because", "it", "was", word, "."]
    places = [(0, 2), (3, 5)]
    listed = [
        [" ".join(tokens[start:end]), [start, end], tokens[start:end], place == right]
        for place, (start, end) in enumerate(places)
    ]
    sentence = f"The lorry crossed the bridge because it was {word}."
    shown = map(json.dumps, (tokens, ["it", [6, 7], ["it"]], listed))
    return "\t".join(["en", "original", "?", sentence, *shown])


def _gap(name: str, text: str, label: tuple[str, str]) -> str:
    places = [str(text.index(word)) for word in ("she", "Nora", "Lena")]
    first = [name, text, "she", places[0], "Nora", places[1], label[0]]
    return "\t".join([*first, "Lena", places[2], label[1], "a page"])


def statement(name: str, text: str, label: str | None, **more: Any) -> dict[str, Any]:
    """A row as in Com2Sense's files."""
    row = {"id": name, "sent": text} | ({} if label is None else {"label": label})
    return row | {"domain": "physical", "scenario": "causal", "numeracy": "False"} | more


def claim(name: str, text: str, label: str | None, pair: str = "", **more: Any) -> dict[str, Any]:
    """A row as in CREAK's files."""
    row = {"ex_id": name, "sentence": text, "explanation": "n/a", "entity": "Owl"}
    row |= {} if label is None else {"label": label}
    return row | ({"pair_id": pair} if pair else {}) | more


def reasoned(after: str, right: str, *reasons: Any) -> dict[str, Any]:
    """A problem as WinoWhy has it, with its reasons."""
    text = {"txt1": "The lorry crossed the bridge because", "pron": "it", "txt2": after}
    answers = ["The lorry", "The bridge"]
    return {"text": text, "answers": answers, "correctAnswer": right, "reasons": list(reasons)}


def parquet() -> bytes:
    columns = {
        "statement": [
            "A lorry ___ pass under a high bridge.",
            "A lorry ___ pass under a low bridge.",
        ],
        "option1": ["can", "can"],
        "option2": ["cannot", "cannot"],
        "label": [0, 1],
    }
    stream = BytesIO()
    arrow = import_module("pyarrow")
    import_module("pyarrow.parquet").write_table(arrow.table(columns), stream)
    return stream.getvalue()


_HEADING = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
_SWAG = (
    "video-id,fold-ind,startphrase,sent1,sent2,gold-source,ending0,ending1,ending2,ending3,label"
)
WINOVENTI = (
    "Word\tAssociative Bias\tAlternative\tbiased_word_context\tadversarial_word_context\t"
    "masked_prompt\ttarget\tincorrect\ttest_type"
)
WINOWHY = "sentence,wnli_sent1,wnli_sent2,label,wsc_num,fold_num"
EWOK = "Domain,ConceptA,ConceptB,ContextType,Target1,Target2,Context1,Context2"
OVER = "As it was {}, what the lorry hit at the bridge was the _."
_ENDINGS = {f"ending{n}": text for n, text in enumerate(("stops.", "turns.", "hoots.", "sings."))}
_INDEXED = {"answer0": "the lorry", "answer1": "the bridge", "is_associative": 0}
_KNOWREF = {"candidate0": ["Nora"], "candidate1": ["Lena"], "correct_candidate_idx": 1}

SAMPLES: dict[str, str | bytes] = {
    "thesis-text": thesis(
        thesis_row(1, "A lorry *target* pass under a high bridge.", "can&cannot", 0),
        thesis_row(2, "A lorry *target* pass under a low bridge.", "can&cannot", 1),
        thesis_row(3, "Owls *target* eat voles.", "do&do not", 0, "t", 2),
        thesis_row(4, "Voles *target* eat owls.", "do&do not", 1, "t", 2),
    ),
    "wsc-xml": collection(schema_element(), schema_element(after="was asleep.", right=" B. ")),
    "pdp-xml": collection(
        schema_element(more="<humanSubjects>7 of 8</humanSubjects><sameText/>"),
        schema_element(answers=("The owl", "The vole", "Nora"), right="C"),
    ),
    "trichelair": json_list(
        {"index": 0, "sentence": LIGHT.replace("it", "[it]"), "correct_answer": "the lorry"}
        | _INDEXED,
        {"index": 1, "sentence": STRONG.replace("it", "[it]"), "correct_answer": "the bridge"}
        | _INDEXED,
    ),
    "square-one": json_lines(
        options("q-1", "high", "1", pair_id=4), options("q-2", "low", "2", pair_id=4)
    ),
    "square-one-zero-shot": json_lines(
        {
            "s1": "Because the lorry was too [MASK] it stopped.",
            "s2": "Because the bridge was too [MASK] it stopped.",
            "ans1": "high",
            "ans2": "low",
            "pair_id": 3,
        }
    ),
    "perturbed-wsc": table(HIGH, LOW),
    "perturbed-wsc-jsonl": json_lines(
        options("q20", "high", "1", pair_number=0, associative=0, switchable=1),
        options("q21", "low", "2", pair_number=0, associative=0, switchable=1),
    ),
    "winogrande": json_lines(
        options("owl-1", "high", "1"), options("owl-2", "low", "2"), options("elk-2", "old", "2")
    ),
    "trinh-le": json_list(*_substituted(0, LIGHT, 0), *_substituted(1, STRONG, 1)),
    "masked-blocks": "\n".join(
        f"{text.replace(' it ', ' [MASK] ')}\n[MASK]\nThe lorry,The bridge\n{right}\n"
        for text, right in ((LIGHT, "The lorry"), (STRONG, "The bridge"))
    ),
    "dpr": "\n".join(
        f"{text}\nit\nThe lorry,the bridge\n{right}\n"
        for text, right in ((LIGHT, "The lorry"), (STRONG, "the bridge"))
    ),
    "wnli": "index\tsentence1\tsentence2\tlabel\n"
    f"0\t{LIGHT}\tThe lorry was light.\t1\n1\t{LIGHT}\tThe bridge was light.\t0\n",
    "superglue-wsc": json_lines(
        _spans(0, LIGHT, "The lorry", 0, label=True), _spans(1, LIGHT, "the bridge", 3, label=False)
    ),
    "knowref": json_list(
        {
            "sentence_with_pronoun": "Nora hid it from Lena , but [she] found it .",
            "original_sentence": ["Nora hid it from Lena , but she found it ."],
            "correct_candidate": ["Lena"],
            "oiginal_id": 12,
        }
        | _KNOWREF
    ),
    "knowref-tsv": "question_id\tsource\tsubstitution0\tsubstitution1\tlabel\n"
    "7\tweb\tNora saw Lena , but Nora fled .\tNora saw Lena , but Lena fled .\t1\n"
    "7\tweb\tLena saw Nora , but Lena fled .\tLena saw Nora , but Nora fled .\t1\n",
    "winogender": "sentid\tsentence\n"
    "plumber.tenant.0.male.txt\tThe plumber told the tenant that he would be paid.\n"
    "plumber.tenant.1.male.txt\tThe plumber told the tenant that he would be warm.\n",
    "winopron": "occupation(0)\tother-participant(1)\tanswer\tsentence\n"
    + "".join(
        f"plumber\ttenant\t{answer}\tThe $OCCUPATION met the $PARTICIPANT {end}\n"
        for answer, end in (
            (0, "as $NOM_PRONOUN came to work."),
            (1, "as $NOM_PRONOUN came to pay."),
            (0, "and took $POSS_PRONOUN tools."),
            (1, "and took $POSS_PRONOUN money."),
        )
    ),
    "winodict": json_lines(
        coined("w-1", "a plobby thing weighs little", "plobby", "1"),
        coined("w-2", "A grunsy thing can carry much", "grunsy", "2", pos="adjective"),
    ),
    "winowhat": json_lines(
        options("owl-1", "high", "1", paraphrase=OVER.format("high"), categories="physical"),
        options("owl-2", "low", "2", paraphrase=OVER.format("low"), categories="physical, spatial"),
    ),
    "winobias": "1 [The plumber] met the florist because [he] was late.\n"
    "2 The plumber met [the florist] because [he] was early.\n",
    "copa-xml": '<?xml version="1.0"?>\n<copa-corpus version="1.0">\n'
    '<item id="1" asks-for="cause" most-plausible-alternative="1">\n'
    "<p>The lorry got stuck.</p><a1>The bridge was low.</a1><a2>The driver sang.</a2></item>\n"
    "</copa-corpus>\n",
    "superglue-copa": json_lines(
        {
            "premise": "The lorry got stuck.",
            "choice1": "The bridge was low.",
            "choice2": "The driver sang.",
            "question": "cause",
            "label": 0,
            "idx": 0,
        }
    ),
    "swag": f",{_SWAG}\n"
    "0,clip,7,A lorry came. It,A lorry came.,It,gold,stops.,turns.,hoots.,sings.,0\n",
    "swag-json": json.dumps(
        {"sent1": "A lorry nears a bridge.", "sent2": "It"} | _ENDINGS | {"label": 0}, indent=1
    ),
    "gap": f"{_HEADING}\n{_gap('g-1', 'Nora met Lena when she came.', ('TRUE', 'FALSE'))}\n",
    "xwino": f"{_xwino('light', 0)}\n{_xwino('strong', 1)}\n",
    "blimp": json_lines(
        {
            "sentence_good": "Owls hunt.",
            "sentence_bad": "Owls hunts.",
            "field": "syntax",
            "linguistics_term": "agreement",
            "UID": "owl_agreement",
            "pairID": "0",
        }
    ),
    "crows-pairs": ",sent_more,sent_less,stereo_antistereo,bias_type,annotations,anon_writer\n"
    "0,Old owls are slow.,Young owls are slow.,stereo,age,[['age']],a0\n",
    "winoventi": f"{WINOVENTI}\n"
    "den\tdry\twet\tsummer\tstorm\tA vole dug a den in the summer. It is [MASK].\tdry\twet\t1\n"
    "den\tdry\twet\tsummer\tstorm\tA vole dug a den in the storm. It is [MASK].\twet\tdry\t2\n",
    "com2sense": json_list(
        statement("c1", "A lorry fits under a low bridge.", "False"),
        statement("c2", "A lorry fits under a high bridge.", "True", numeracy="True"),
    ),
    "creak": json_lines(
        claim("e-1", "Owls hunt at night.", "true", "p-1"),
        claim("e-2", "Owls hunt at noon.", "false", "p-1"),
    ),
    "winowhy": json_list(
        reasoned(
            "was light.",
            "A",
            [" light things need no strong bridge.", "gpt", 1.0, "Valid"],
            ["Bridges are light", "human", 0.2, "Invalid"],
        )
    ),
    "winowhy-csv": f"{WINOWHY}\n"
    f"{LIGHT} It is the lorry because lorries cross,{LIGHT} ,It is the lorry,1,0,2\n",
    "ewok": f"{EWOK}\n"
    "roads,low,high,direct,A lorry waits.,A lorry passes.,The bridge is low.,The bridge is high.\n",
    "table-csv": "statement,option1,option2,label\n"
    "A lorry ___ pass under a high bridge.,can,cannot,0\n"
    "A lorry ___ pass under a low bridge.,can,cannot,1\n",
    "table-jsonl": json_lines(
        {"statement": "A lorry ___ pass.", "option1": "can", "option2": "cannot", "label": 0}
    ),
    "table-parquet": parquet(),
}
