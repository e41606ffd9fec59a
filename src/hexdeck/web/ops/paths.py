"""Seats in addresses: short numbers, so that an address with another is none of ours."""

from starlette.convertors import Convertor, register_url_convertor

SEAT = "{seat:seat}"


class Seats(Convertor[int]):
    """A seat's number: what Python can read as a number is no seat when it has thousands of digits."""

    regex = "[0-9]{1,3}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """As it stands in an address."""
        return str(value)


register_url_convertor("seat", Seats())
