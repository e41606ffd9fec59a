"""Seat numbers in addresses: at most three digits, so that a longer number is simply an unknown address."""

from starlette.convertors import Convertor, register_url_convertor

SEAT = "{seat:seat}"


class Seats(Convertor[int]):
    """The converter of seat numbers; Python refuses to read a number of thousands of digits."""

    regex = "[0-9]{1,3}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """The number as it stands in an address."""
        return str(value)


register_url_convertor("seat", Seats())
