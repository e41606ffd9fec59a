"""What is asked about a table by a key, for ears."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.text import Text, say
from hexdeck.tables.errors import TableError
from hexdeck.web.html.spoken import ABOUT, spoken
from hexdeck.web.requests.identity import reading_as_holder
from hexdeck.web.requests.site import site_of
from hexdeck.web.requests.target import server_of
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import NO_STORE, is_script, table_response


async def ask(request: Request) -> Response:
    """The answer to one of `ABOUT`, as the reader knows the table: a script gets it alone, others the whole page."""
    about = request.query_params.get("about", "")
    if about not in ABOUT:
        raise TableError(say("You can ask about {there}.", there=", ".join(ABOUT)))
    async with reading_as_holder(request) as (found, holder):
        site = site_of(request, path=f"/table/{found.id}", lang=found.terms.lang)
        said = spoken(presenters.table_page(server_of(request), site, found, holder), about)
        if is_script(request):
            return JSONResponse({"said": said}, headers=NO_STORE)
        return table_response(request, found, holder, Text("{said}", {"said": said}))
