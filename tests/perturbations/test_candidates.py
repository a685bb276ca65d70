from horsesense.perturbations import Validity, Voucher, first_validity
from horsesense.perturbations.catalogue.wordings import UNBALANCED
from tests.perturbations.written import applied, entry


def test_without_material_something_is_proposed() -> None:
    text = "[The ladle] missed [the drawer] because <it = the ladle, the drawer> was {long, short}."
    proposed = applied(UNBALANCED, entry(text))
    assert proposed.startswith("[The ladle] missed [the ")
    assert proposed != text


def test_only_what_nobody_vouches_for_waits_to_be_judged() -> None:
    found = {voucher: first_validity(voucher) for voucher in Voucher}
    waiting = {voucher for voucher, validity in found.items() if validity is Validity.PROPOSED}
    assert waiting == {Voucher.NOBODY}
