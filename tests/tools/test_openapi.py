"""Tools of an OpenAPI document, and their calls over real HTTP on loopback."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from knowact.core.errors import BadData, BadUsage, Unreachable
from knowact.core.world import Call, Observation
from knowact.tools.folder import Hints, OwnTool, Route, Source, ToolFolder
from knowact.tools.http_calls import HttpService
from knowact.tools.openapi import Document, read_document
from knowact.tools.world import LiveSession, ToolsWorld
from shop_app import TOKEN, served, shop


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(shop()) as found:
        yield found


@pytest.fixture
def document(address: str) -> Document:
    return read_document(f"{address}/openapi.json", {})


@pytest.fixture
def session(
    address: str, document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LiveSession]:
    monkeypatch.setenv("KNOWACT_TOOLS", str(tmp_path))
    monkeypatch.setenv("SHOP_TOKEN", TOKEN)
    source = Source(
        kind="openapi",
        url=document.base,
        document=f"{address}/openapi.json",
        headers={"Authorization": "Bearer ${SHOP_TOKEN}"},
        added=date(2026, 11, 23),
    )
    ToolFolder(tmp_path / "shop", source, document.tools).save()
    opened = ToolsWorld("tools:shop").open({}, 0)
    assert isinstance(opened, LiveSession)
    yield opened
    opened.close()
    assert opened.shared.service is not None
    opened.shared.service.close()


def problem(seen: Observation) -> tuple[str, str, str]:
    assert seen.problem is not None, seen
    return seen.problem.code, seen.problem.message, seen.problem.fix


def tool(document: Document, name: str) -> OwnTool:
    return next(one for one in document.tools if one.name == name)


class TestReading:
    def test_each_of_twelve_routes_is_a_tool(self, document: Document, address: str) -> None:
        assert len(document.tools) == 12
        assert (document.left_out, document.base) == ((), f"{address}/")
        effects = {one.name: one.hints.read_only for one in document.tools}
        assert (effects["list_products"], effects["create_order"], effects["cancel_order"]) == (
            *(True, False, False),
        )
        assert tool(document, "cancel_order").hints.destructive
        assert tool(document, "list_products").category == "catalogue"

    def test_a_body_and_headers_become_parameters(self, document: Document) -> None:
        create = tool(document, "create_order")
        assert create.route is not None
        assert create.route.places == {
            "x-reason": "header",
            **dict.fromkeys(("sku", "pieces", "note"), "body"),
        }
        assert create.tool("").required == ("sku",)
        assert create.tool("").properties["sku"]["description"] == "What is ordered."

    def test_references_are_resolved_and_cycles_cut(self, document: Document) -> None:
        tree = tool(document, "get_categories")
        assert "#/components/schemas/Category contains itself; it is cut there" in tree.odd
        assert "$ref" not in json.dumps([one.model_dump() for one in document.tools])
        assert tree.returns is not None
        children: Any = tree.returns["properties"]
        assert children["children"]["items"] == {"description": "As Category above."}


class TestCalls:
    def test_parameters_go_where_the_document_says(self, session: LiveSession) -> None:
        assert [one["sku"] for one in session.call(Call("list_products", {"size": "large"})).value] == ["B2"]
        both = session.call(Call("list_products", {"sku": ["A1", "B2"]}))
        assert [one["sku"] for one in both.value] == ["A1", "B2"]
        made = session.call(Call("create_order", {"sku": "A1", "pieces": 2, "x-reason": "gift"}))
        assert made.value == {
            "sku": "A1",
            "pieces": 2,
            "note": "gift",
            "id": made.value["id"],
            "state": "open",
        }
        assert session.call(Call("get_order", {"id": made.value["id"]})).value["pieces"] == 2
        assert session.call(Call("cancel_order", {"id": made.value["id"]})).value is None
        subscribed = session.call(Call("subscribe", {"email": "a+b@c.de", "weekly": True}))
        assert subscribed.value == {"email": "a+b@c.de", "weekly": True}
        assert session.call(Call("get_basket", {"basket": "b 1"})).value == {"basket": "b%201"}

    def test_what_is_no_json_is_text_or_named(self, session: LiveSession) -> None:
        assert session.call(Call("get_status")).value == "All is well."
        assert session.call(Call("get_logo")).value == "[5 bytes of image/png]"

    def test_refusals_are_results_with_a_code(self, session: LiveSession) -> None:
        code, message, fix = problem(session.call(Call("get_product", {"sku": "Z9"})))
        assert (code, message) == ("not_found", "404 Not Found")
        assert "There is no product Z9." in fix
        assert problem(session.call(Call("create_order", {"sku": "A1", "pieces": 0})))[0] == "bad_arguments"

    @pytest.mark.parametrize("sku", ["..", ".", ""])
    def test_no_argument_leaves_its_segment(self, session: LiveSession, sku: str) -> None:
        assert problem(session.call(Call("get_product", {"sku": sku})))[0] == "bad_arguments"

    @pytest.mark.parametrize(
        "sku", ["../orders/1", "a/b", "A1?x=1", "A1#", "%2e%2e", "\ud800", "{sku}", "é\n"]
    )
    def test_odd_arguments_stay_values(self, session: LiveSession, sku: str) -> None:
        assert problem(session.call(Call("get_product", {"sku": sku})))[0] in {"not_found", "bad_arguments"}

    def test_an_argument_adds_no_header(self, session: LiveSession) -> None:
        call = Call("create_order", {"sku": "A1", "x-reason": "a\r\nX-Admin: 1"})
        assert problem(session.call(call))[0] == "bad_arguments"
        assert problem(session.call(Call("get_status", {"Authorization": "x"})))[0] == "bad_arguments"

    def test_keys_are_not_taken_to_another_host(self, session: LiveSession) -> None:
        code, message, _ = problem(session.call(Call("leave")))
        assert (code, message) == ("refused", "302 Found")

    def test_a_missing_path_parameter_is_said(self, session: LiveSession) -> None:
        assert "'sku' is missing" in problem(session.call(Call("get_product", {})))[1]


class TestServicesThatFail:
    def test_nobody_listens(self, document: Document) -> None:
        service = HttpService("http://127.0.0.1:1", {}, 600.0)
        with pytest.raises(Unreachable, match="cannot be reached"):
            service.call(tool(document, "get_status"), {})
        service.close()

    def test_one_that_is_busy_is_called_again_where_that_is_safe(self, document: Document) -> None:
        asked: list[str] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            asked.append(scope["method"])
            status = 200 if len(asked) == 2 else 503
            headers = [(b"retry-after", b"0"), (b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": b"[1]"})

        with served(app) as busy:
            service = HttpService(busy, {}, 600.0)
            assert service.call(tool(document, "list_products"), {}).value == [1]
            writes = service.call(tool(document, "subscribe"), {"email": "a"})
            assert problem(writes)[0] == "server_error"
            service.close()
        assert asked == ["GET", "GET", "POST"]

    @pytest.mark.slow
    def test_one_that_hangs_or_sends_without_end(self, document: Document) -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            import anyio

            if scope["path"] == "/status":
                await anyio.sleep(600)
            await send({"type": "http.response.start", "status": 200, "headers": []})
            for _ in range(100_000):
                drops = scope["path"] == "/logo"
                await send(
                    {"type": "http.response.body", "body": b"x" * (1 if drops else 65_536), "more_body": True}
                )
                if drops:
                    await anyio.sleep(0.05)

        with served(app) as endless:
            service, patient = HttpService(endless, {}, 0.6), HttpService(endless, {}, 600.0)
            with pytest.raises(Unreachable, match="did not answer within"):
                service.call(tool(document, "get_status").model_copy(update={"hints": _post()}), {})
            with pytest.raises(Unreachable, match="did not answer within"):
                service.call(tool(document, "get_logo").model_copy(update={"hints": _post()}), {})
            cut = patient.call(tool(document, "list_products"), {})
            assert "cut here" in cut.text()
            assert len(cut.text()) < 130_000
            service.close()
            patient.close()


def _post() -> Any:
    from knowact.tools.folder import Hints

    return Hints(method="POST")


BASE: dict[str, Any] = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}}
OK: dict[str, Any] = {"200": {"description": "fine"}}


def written(tmp_path: Path, value: object) -> str:
    file = tmp_path / "api.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(file)


class TestDocuments:
    @pytest.mark.parametrize(
        ("value", "said"),
        [
            ({"swagger": "2.0", "paths": {}}, r"this is Swagger 2\.0\. Fix: convert it to OpenAPI 3"),
            ({**BASE, "openapi": "4.0.0"}, r"this is OpenAPI 4\.0\.0"),
            ({"info": {}}, "does not say its version"),
            ({**BASE, "paths": {}}, "no operation in it can be called"),
            (
                {**BASE, "paths": {"/a": {"get": {"parameters": [{"in": "query"}], "responses": OK}}}},
                r"paths\.\S*a\S*get.*breaks the rules of OpenAPI 3\.1",
            ),
            ("[1]", "this is not an OpenAPI document"),
            ("a: [", r"api\.json:1: this is not YAML"),
            ('{"a": ', r"api\.json:1: this is not JSON"),
            ("\t- a", "this is not YAML"),
        ],
    )
    def test_what_is_wrong_is_a_sentence(self, tmp_path: Path, value: object, said: str) -> None:
        with pytest.raises(BadData, match=said):
            read_document(written(tmp_path, value), {})

    def test_what_cannot_be_fetched_is_a_sentence(self, address: str) -> None:
        with pytest.raises(BadUsage, match="cannot be fetched"):
            read_document("http://127.0.0.1:1/openapi.json", {})
        with pytest.raises(BadUsage, match="answers 404"):
            read_document(f"{address}/none.json", {})
        with pytest.raises(BadUsage, match=r"leads to http://192\.0\.2\.1"):
            read_document(f"{address}/leave", {})

    def test_keys_are_sent_to_a_document_only_where_it_lies_with_the_service(self) -> None:
        seen: list[bytes] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            seen.append(dict(scope["headers"]).get(b"x-key", b""))
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        with served(app) as there:
            for service in ("", "http://elsewhere.example.org", there):
                with pytest.raises(BadUsage, match="answers 401"):
                    read_document(f"{there}/api.json", {"X-Key": "secret"}, service)
        assert seen == [b"", b"", b"secret"]

    def test_odd_parts_are_read_and_said(self, tmp_path: Path) -> None:
        named = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        aged = {"type": "object", "properties": {"age": {"type": "integer"}, "id": {"readOnly": True}}}
        upload: dict[str, Any] = {"content": {"multipart/form-data": {"schema": {}}}}
        body = {
            "required": True,
            "content": {
                "application/json": {"schema": {"allOf": [{"$ref": "#/components/schemas/N"}, aged]}}
            },
        }
        paths: dict[str, Any] = {
            "/people/{id}": {
                "parameters": [{"$ref": "#/components/parameters/Id"}],
                "patch": {"requestBody": body, "responses": OK, "deprecated": True},
            },
            "/photos": {"post": {"operationId": "a.very/odd name", "requestBody": upload, "responses": OK}},
            "/x": {"get": {"operationId": "x y", "responses": {"200": {"$ref": "other.yaml#/R"}}}},
            "/y": {"get": {"operationId": "x y", "responses": OK}},
        }
        parts = {
            "schemas": {"N": named},
            "parameters": {
                "Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
            },
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        }
        servers = [{"url": "https://{region}.example.org/v1", "variables": {"region": {"default": "eu"}}}]
        found = read_document(
            written(tmp_path, {**BASE, "servers": servers, "paths": paths, "components": parts}), {}
        )
        assert [one.name for one in found.tools] == ["patch_people_id", "x y", "x y_2"]
        assert found.base == "https://eu.example.org/v1"
        assert found.left_out == ("POST /photos takes multipart/form-data, which no tool can fill in",)
        assert found.wants == ("key: a key in the header 'X-Key'",)
        patch = found.tools[0]
        assert set(patch.tool("").properties) == {"id", "name", "age"}
        assert patch.tool("").required == ("id", "name")
        assert "it is deprecated" in patch.odd
        assert "the document gives it no name (operationId)" in patch.odd
        assert any("agents see 'x_y'" in one for one in found.tools[1].odd)

    def test_yaml_with_numbers_for_statuses_and_dates_is_read(self, tmp_path: Path) -> None:
        text = (
            "openapi: 3.0.3\ninfo: {title: T, version: '1'}\nservers: [{url: /v2}]\n"
            "paths:\n  /days:\n    get:\n      operationId: days\n      parameters:\n"
            "        - {name: day, in: query, example: 2026-01-01, schema: {type: string, nullable: true}}\n"
            "      responses:\n        200: {description: ok}\n"
        )
        file = tmp_path / "api.yaml"
        file.write_text(text, encoding="utf-8")
        found = read_document(str(file), {})
        assert (found.tools[0].name, found.base) == ("days", "")

    def test_references_that_multiply_are_cut(self, tmp_path: Path) -> None:
        schemas = {
            f"S{n}": {
                "type": "object",
                "properties": {k: {"$ref": f"#/components/schemas/S{n + 1}"} for k in "abcd"},
            }
            for n in range(12)
        }
        schemas["S12"] = {"type": "object"}
        content = {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}
        paths = {
            "/a": {"get": {"operationId": "a", "responses": {"200": {"description": "", "content": content}}}}
        }
        found = read_document(
            written(tmp_path, {**BASE, "paths": paths, "components": {"schemas": schemas}}), {}
        )
        assert any("references grow beyond" in one for one in found.tools[0].odd)

    def test_yaml_words_for_yes_and_no_are_texts(self, tmp_path: Path) -> None:
        text = (
            "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: a\n"
            "      parameters:\n        - {name: x, in: query, required: true, schema: {enum: "
            "[no, on, 12:30, 2026-01-01, 010, 7, 2.5, 1e3, -3, 0x1F, true, ~]}}\n"
            "      responses: {200: {description: ok}}\n"
        )
        file = tmp_path / "api.yaml"
        file.write_text(text, encoding="utf-8")
        values = read_document(str(file), {}).tools[0].tool("").properties["x"]["enum"]
        assert values == ["no", "on", "12:30", "2026-01-01", "010", 7, 2.5, 1000.0, -3, 31, True, None]

    def test_a_path_that_stands_twice_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "api.yaml"
        file.write_text("openapi: 3.1.0\npaths:\n  /a: {}\n  /b: {}\n  /a: {}\n", encoding="utf-8")
        with pytest.raises(BadData, match=r"api.yaml:5: this is not YAML .the name '/a' stands there twice"):
            read_document(str(file), {})

    def test_an_object_beside_all_of_keeps_what_it_extends(self, tmp_path: Path) -> None:
        schemas = {
            "Base": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
            "Cat": {
                "allOf": [{"$ref": "#/components/schemas/Base"}],
                "properties": {"lives": {"type": "integer"}},
                "required": ["lives"],
            },
            "Kitten": {"allOf": [{"$ref": "#/components/schemas/Cat"}, {"required": ["id"]}]},
            "Name": {"allOf": [{"pattern": "a"}, {"pattern": "b"}], "type": "string"},
        }

        def result(name: str) -> object:
            content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
            response = {"200": {"description": "", "content": content}}
            paths = {"/a": {"get": {"operationId": "a", "responses": response}}}
            value = {**BASE, "paths": paths, "components": {"schemas": schemas}}
            return read_document(written(tmp_path, value), {}).tools[0].returns

        both = {"id": {"type": "integer"}, "lives": {"type": "integer"}}
        for name in ("Cat", "Kitten"):
            returns: Any = result(name)
            assert (returns["properties"], sorted(returns["required"])) == (both, ["id", "lives"])
            assert "allOf" not in returns
        assert result("Name") == schemas["Name"]

    def test_a_reference_to_a_part_of_another_kind_is_refused_by_its_place(self, tmp_path: Path) -> None:
        schemas = {"X": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}
        parameters = [{"$ref": "#/components/schemas/X"}]
        paths = {"/a": {"get": {"operationId": "a", "parameters": parameters, "responses": OK}}}
        file = written(tmp_path, {**BASE, "paths": paths, "components": {"schemas": schemas}})
        with pytest.raises(BadData, match=r"'/a\.get\.parameters\.required': it breaks the rules of OpenAPI"):
            read_document(file, {})

    def test_what_a_reference_loses_is_said(self, tmp_path: Path) -> None:
        lost = {"$ref": "parts.yaml#/x"}
        paths: dict[str, Any] = {
            "/a": {"get": {"operationId": "a", "parameters": [lost], "responses": {"200": lost}}},
            "/b": {"post": {"operationId": "b", "requestBody": lost, "responses": OK}},
            "/c": {"$ref": "#/nowhere"},
            "/d": {
                "get": {"operationId": "d", "servers": [{"url": "https://d.example.org"}], "responses": OK}
            },
        }
        found = read_document(written(tmp_path, {**BASE, "paths": paths}), {})
        out = "the reference parts.yaml#/x leads out of the document"
        assert {f"of a parameter, {out}", out} < {*tool(found, "a").odd}
        assert found.left_out == (
            f"POST /b: of its body, {out}",
            "/c: the reference #/nowhere leads nowhere",
        )
        assert any("servers of its own" in one for one in tool(found, "d").odd)

    def test_no_agent_fills_in_a_header_that_goes_with_each_call(self, tmp_path: Path) -> None:
        key = {"name": "x-key", "in": "header", "required": True, "schema": {"type": "string"}}
        trace = {**key, "name": "X-Trace"}
        paths = {"/a": {"get": {"operationId": "a", "parameters": [key, trace], "responses": OK}}}
        file = written(tmp_path, {**BASE, "paths": paths})
        assert read_document(file, {}).tools[0].tool("").required == ("x-key", "X-Trace")
        assert read_document(file, {}, sent=["X-Key"]).tools[0].tool("").required == ("X-Trace",)


def test_a_service_that_does_not_accept_our_key_is_no_fault_of_the_agent() -> None:
    async def closed(scope: Any, _receive: Any, send: Any) -> None:
        assert scope["type"] == "http"
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def one(parameter: str) -> OwnTool:
        schema: dict[str, Any] = {"type": "object", "properties": {parameter: {"type": "string"}}}
        route = Route(path="/a", places={parameter: "query"})
        return OwnTool(name="a", parameters=schema, hints=Hints(method="GET"), route=route)

    with served(closed) as there:
        service = HttpService(there, {"X-Key": "old"}, 20.0)
        with pytest.raises(Unreachable, match=r"answers 401 Unauthorized: .* Check the headers"):
            service.call(one("city"), {"city": "Oslo"})
        code, message, _ = problem(service.call(one("userPassword"), {"userPassword": "guess"}))
        assert (code, message) == ("refused", "401 Unauthorized")
        service.close()
