"""A shop as a FastAPI application with twelve routes, and as a service on loopback.

It is what somebody's own service looks like: keys in a header, parameters in every place, forms, refusals,
a tree of categories that contains itself.
"""

import socket
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any

import uvicorn
from fastapi import Cookie, FastAPI, Form, Header, HTTPException, Path, Query, Response
from pydantic import BaseModel, Field

TOKEN = "t-loopback-1"  # noqa: S105 - of a service that lives as long as a test


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


class Product(BaseModel):
    sku: str = Field(description="Its number in the shop.")
    name: str
    price: float = Field(description="In euros.")
    size: Size = Size.SMALL


class Category(BaseModel):
    name: str
    children: "list[Category]" = []


class NewOrder(BaseModel):
    sku: str = Field(description="What is ordered.")
    pieces: int = Field(1, ge=1, description="How many.")
    note: str | None = Field(None, description="For the parcel.")


class Order(NewOrder):
    id: int
    state: str = "open"


def shop() -> FastAPI:
    """An application with a state of its own."""
    app = FastAPI(title="Shop", version="1.0")
    products = {
        one.sku: one
        for one in (
            Product(sku="A1", name="Mug", price=7.5),
            Product(sku="B2", name="Lamp", price=31.0, size=Size.LARGE),
        )
    }
    orders: dict[int, Order] = {}

    @app.get("/products", operation_id="list_products", tags=["catalogue"])
    def list_products(
        size: Annotated[Size | None, Query(description="Only these.")] = None,
        sku: Annotated[list[str] | None, Query(description="Only these numbers.")] = None,
    ) -> list[Product]:
        """List the products."""
        return [
            one
            for one in products.values()
            if (size is None or one.size is size) and (not sku or one.sku in sku)
        ]

    @app.get("/products/{sku}", operation_id="get_product", tags=["catalogue"])
    def get_product(sku: Annotated[str, Path(description="Its number.", examples=["A1", "B2"])]) -> Product:
        """Look a product up."""
        if sku not in products:
            raise HTTPException(404, f"There is no product {sku}.")
        return products[sku]

    @app.put("/products/{sku}", operation_id="set_price")
    def set_price(sku: str, price: float) -> Product:
        """Change a price."""
        products[sku] = get_product(sku).model_copy(update={"price": price})
        return products[sku]

    @app.get("/categories", operation_id="get_categories")
    def get_categories() -> Category:
        """Read the tree of categories."""
        return Category(name="all", children=[Category(name="home")])

    @app.post("/orders", operation_id="create_order", status_code=201)
    def create_order(
        order: NewOrder, authorization: Annotated[str, Header()], x_reason: Annotated[str, Header()] = ""
    ) -> Order:
        """Order a product."""
        if authorization != f"Bearer {TOKEN}":
            raise HTTPException(401, "Who are you?")
        note = x_reason or order.note
        made = Order(id=len(orders) + 1, sku=order.sku, pieces=order.pieces, note=note)
        orders[made.id] = made
        return made

    @app.get("/orders/{id}", operation_id="get_order")
    def get_order(id: int) -> Order:  # noqa: A002 - the route's own name
        """Look an order up."""
        if id not in orders:
            raise HTTPException(404, f"There is no order {id}.")
        return orders[id]

    @app.delete("/orders/{id}", operation_id="cancel_order", status_code=204)
    def cancel_order(id: int) -> None:  # noqa: A002 - the route's own name
        """Cancel an order."""
        orders.pop(id, None)

    @app.post("/subscribe", operation_id="subscribe")
    def subscribe(email: Annotated[str, Form()], weekly: Annotated[bool, Form()] = False) -> Any:  # noqa: FBT002
        """Subscribe to the letter."""
        return {"email": email, "weekly": weekly}

    @app.get("/basket", operation_id="get_basket")
    def get_basket(basket: Annotated[str, Cookie()] = "") -> dict[str, str]:
        """Read the basket that a cookie names."""
        return {"basket": basket}

    @app.get("/status", operation_id="get_status")
    def get_status() -> Response:
        """Say that all is well, in plain text."""
        return Response("All is well.", media_type="text/plain")

    @app.get("/logo", operation_id="get_logo")
    def get_logo() -> Response:
        """The logo."""
        return Response(b"\x89PNG\x00", media_type="image/png")

    @app.get("/leave", operation_id="leave")
    def leave() -> Response:
        """Lead to another host."""
        return Response(status_code=302, headers={"Location": "http://192.0.2.1/stolen"})

    return app


@contextmanager
def served(app: Any) -> Generator[str]:
    """Serve an application on loopback while the block runs; give its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False, lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "The service does not start."
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join(600)  # it closes the listener itself; done from here, that would break its loop
        assert not thread.is_alive(), "The service does not stop."
