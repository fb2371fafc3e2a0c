"""Finance: what markets quote today, and the sums that people do with money."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

from typing import Annotated, Final, Literal, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources
from knowact.worlds.everyday.contract import always, by_argument, near, refuse, tool
from knowact.worlds.everyday.fields import People, Percent, Positive, StockSymbol
from knowact.worlds.everyday.schema import ECHO, Attribute, Rules
from knowact.worlds.everyday.state import State

Currency = Literal["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN"]
Metal = Literal["gold", "silver", "platinum"]
_MARKET: Final = always(Dimension.TEMPORALITY, why="Markets quote another price every day.")


class ExchangeRate(TypedDict):
    """What one unit of a currency buys.

    Attributes:
        base: The currency that is given.
        quote: The currency that is got.
        rate: Units of `quote` for one unit of `base`, to three significant digits.
    """

    base: Annotated[str, ECHO]
    quote: Annotated[str, ECHO]
    rate: Annotated[float, Attribute("exchange.rate")]


@tool(
    category="Finance",
    server="markets",
    about=("base", "quote"),
    rubric=_MARKET,
    scenario="A traveller wants to know what their money is worth abroad today.",
)
def get_exchange_rate(state: State, base: Currency, quote: Currency) -> ExchangeRate:
    """Quote today's exchange rate between two currencies.

    Args:
        base: The currency that is given, by its three-letter code.
        quote: The currency that is got, by its three-letter code.
    """
    rate = sources.exchange_rate(state.seed, base, quote, state.today)
    return {"base": base, "quote": quote, "rate": rate}


class StockQuote(TypedDict):
    """A share's price.

    Attributes:
        symbol: The share's symbol.
        company: The company's name.
        price_eur: Last price in euros.
        change_percent: Change since yesterday's close in per cent.
    """

    symbol: Annotated[str, ECHO]
    company: Annotated[str, Attribute("stock.company")]
    price_eur: Annotated[float, Attribute("stock.price")]
    change_percent: Annotated[float, Attribute("stock.change")]


@tool(
    category="Finance",
    server="markets",
    about=("symbol",),
    rubric=_MARKET,
    scenario="A small investor looks up what a share stands at before buying or selling some.",
)
def get_stock_quote(state: State, symbol: StockSymbol) -> StockQuote:
    """Quote the last price of a share on the regional exchange.

    Args:
        symbol: The share's four-letter symbol, such as "NDKP".
    """
    company = sources.STOCKS.get(symbol)
    if company is None:
        refuse("not_found", f"No share has the symbol {symbol!r}.", near(symbol, sources.STOCKS))
    price, change = sources.stock_price(state.seed, symbol, state.now)
    return {"symbol": symbol, "company": company, "price_eur": price, "change_percent": change}


class MetalPrice(TypedDict):
    """A metal's price.

    Attributes:
        metal: The metal.
        eur_per_gram: Price of a gram in euros, to three significant digits.
    """

    metal: Annotated[str, ECHO]
    eur_per_gram: Annotated[float, Attribute("metal.price")]


@tool(
    category="Finance",
    server="markets",
    about=("metal",),
    rubric=_MARKET,
    scenario="Somebody has inherited a ring or a coin and wonders what the metal in it is worth today.",
)
def get_metal_price(state: State, metal: Metal) -> MetalPrice:
    """Quote today's price of a precious metal per gram.

    Args:
        metal: The metal.
    """
    return {"metal": metal, "eur_per_gram": sources.metal_price(state.seed, metal, state.today)}


class Share(TypedDict):
    """Part of a sum.

    Attributes:
        part: That many per cent of the amount, rounded to cents.
        remainder: The amount less that part, rounded to cents.
    """

    part: Annotated[float, Attribute("money.part")]
    remainder: Annotated[float, Attribute("money.remainder")]


@tool(
    category="Finance",
    server="money",
    about=("amount", "percent"),
    also_done_by=("multiply", "get_fuel_needed", "split_bill"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="A discount on a price is done by head; 7.385 % of 48,219.37 is not.",
        within=lambda given: limits.product(given["amount"], given["percent"]),
    ),
    scenario="Somebody wants to know what a discount or a fee comes to, and what is left after it.",
)
def get_percentage(_state: State, amount: Positive, percent: Percent) -> Share:
    """Work out a percentage of an amount, and what remains of the amount without it.

    Args:
        amount: The whole amount.
        percent: The percentage, 20 for 20 %.
    """
    part = amount * percent / 100
    return {"part": round(part, 2), "remainder": round(amount - part, 2)}


class Growth(TypedDict):
    """A sum with interest.

    Attributes:
        final: What the sum has grown to, rounded to cents.
        interest: The interest alone, rounded to cents.
    """

    final: Annotated[float, Attribute("money.grown")]
    interest: Annotated[float, Attribute("money.interest")]


@tool(
    category="Finance",
    server="money",
    about=("principal", "percent", "years"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Two years at 5 % are two products; seventeen years at 3.85 % are not done by head.",
        within=lambda given: limits.interest(given["principal"], given["percent"], given["years"]),
    ),
    scenario="A saver compares what a sum grows to over some years at a yearly rate.",
)
def compound_interest(
    _state: State,
    principal: Positive,
    percent: Percent,
    years: Annotated[int, Attribute("duration.years"), Rules(minimum=1, maximum=100)],
) -> Growth:
    """Work out what a sum grows to when interest is added once a year.

    Args:
        principal: The sum at the start.
        percent: Interest per year, 3 for 3 %.
        years: Whole years.
    """
    final = principal * (1 + percent / 100) ** years
    return {"final": round(final, 2), "interest": round(final - principal, 2)}


class SplitBill(TypedDict):
    """What everybody pays.

    Attributes:
        per_person: Share of each person, tip included, rounded to cents.
        total: The bill with the tip, rounded to cents.
    """

    per_person: Annotated[float, Attribute("bill.share")]
    total: Annotated[float, Attribute("bill.total")]


@tool(
    category="Finance",
    server="money",
    about=("bill", "people", "tip_percent"),
    also_done_by=("multiply", "get_percentage"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="A table of four by head; a bill in cents for 37 people with a tip of 12.5 % not.",
        within=lambda given: (
            limits.product(given["bill"], given.get("tip_percent", 0)) and given["people"] <= 12  # noqa: PLR2004 - a dinner table
        ),
    ),
    scenario="Friends at a restaurant divide the bill and add a tip.",
)
def split_bill(_state: State, bill: Positive, people: People, tip_percent: Percent = 0) -> SplitBill:
    """Divide a bill evenly, with a tip on top.

    Args:
        bill: The bill without the tip.
        people: How many people pay.
        tip_percent: The tip in per cent of the bill.
    """
    total = bill * (1 + tip_percent / 100)
    return {"per_person": round(total / people, 2), "total": round(total, 2)}


class Total(TypedDict):
    """A sum.

    Attributes:
        total: The sum of the amounts, rounded to cents.
        count: How many amounts there were.
    """

    total: Annotated[float, Attribute("money.total")]
    count: Annotated[int, ECHO]


@tool(
    category="Finance",
    server="money",
    about=("amounts",),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Three prices are added by head; a page of receipts in cents is not.",
        within=lambda given: limits.total(given["amounts"]),
    ),
    scenario="Somebody adds up prices, receipts or a month's expenses.",
)
def add_amounts(
    _state: State,
    amounts: Annotated[
        list[Annotated[float, Rules(minimum=-1e9, maximum=1e9)]],
        Attribute("money.amounts"),
        Rules(min_items=1, max_items=1_000),
    ],
) -> Total:
    """Add up amounts of money.

    Args:
        amounts: The amounts, negative ones for what is taken away.
    """
    return {"total": round(sum(amounts), 2), "count": len(amounts)}
