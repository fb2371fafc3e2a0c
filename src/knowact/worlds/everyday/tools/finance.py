"""Finance: what markets quote today, and the sums that people do with money."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources
from knowact.worlds.everyday.contract import Server, always, by_size, listed, on
from knowact.worlds.everyday.fields import People, Percent, Positive, StockSymbol
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_MARKETS: Final = Server("Finance", "markets")
_MONEY: Final = Server("Finance", "money")

Currency = Literal["EUR", "USD", "GBP", "CHF", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN"]
Metal = Literal["gold", "silver", "platinum"]
_EUROS_PER_UNIT: Final[Mapping[Currency, float]] = {
    "EUR": 1.0,
    "USD": 0.91,
    "GBP": 1.17,
    "CHF": 1.05,
    "CAD": 0.67,
    "AUD": 0.6,
    "SEK": 0.088,
    "NOK": 0.086,
    "DKK": 0.134,
    "PLN": 0.233,
}
_GRAM_PRICES: Final[Mapping[Metal, float]] = {"gold": 80.0, "silver": 1.0, "platinum": 30.0}
_MARKET: Final = always(Dimension.TEMPORALITY, why="Markets quote another price every day.")


class ExchangeRate(Shape):
    base: str = echo("The currency that is given.")
    quote: str = echo("The currency that is got.")
    rate: float = fact(
        "exchange.rate", "Units of `quote` for one unit of `base`, to three significant digits."
    )


@_MARKETS.tool(
    about=("base", "quote"),
    rubric=_MARKET,
    scenario="A traveller wants to know what their money is worth abroad today.",
    person_cannot="Nobody carries today's rates in their head.",
)
def get_exchange_rate(state: State, base: Currency, quote: Currency) -> ExchangeRate:
    """Quote today's exchange rate between two currencies.

    Args:
        base: The currency that is given, by its three-letter code.
        quote: The currency that is got, by its three-letter code.
    """

    def euros(currency: Currency) -> float:
        drift = state.draw("exchange", currency, state.today.isoformat()).uniform(0.88, 1.12)
        return _EUROS_PER_UNIT[currency] * (1.0 if currency == "EUR" else drift)

    return ExchangeRate(base=base, quote=quote, rate=float(f"{euros(base) / euros(quote):.3g}"))


class StockQuote(Shape):
    symbol: str = echo("The share's symbol.")
    company: str = fact("stock.company", "The company's name.")
    price_eur: float = fact("stock.price", "Last price in euros.")
    change_percent: float = fact("stock.change", "Change since yesterday's close in per cent.")


@_MARKETS.tool(
    rubric=_MARKET,
    scenario="A small investor looks up what a share stands at before buying or selling some.",
    person_cannot="Nobody carries share prices in their head.",
)
def get_stock_quote(state: State, symbol: StockSymbol) -> StockQuote:
    """Quote the last price of a share on the regional exchange.

    Args:
        symbol: The share's four-letter symbol, such as "NDKP".
    """
    company = listed(sources.STOCKS, symbol, f"No share has the symbol {symbol!r}.")
    draw = state.draw("stock", symbol, state.hour)
    price, change = draw.randint(180, 3_600) / 20, draw.randint(-49, 49) / 10
    return StockQuote(symbol=symbol, company=company, price_eur=price, change_percent=change)


class MetalPrice(Shape):
    metal: str = echo("The metal.")
    eur_per_gram: float = fact("metal.price", "Price of a gram in euros, to three significant digits.")


@_MARKETS.tool(
    about=("metal",),
    rubric=_MARKET,
    scenario="Somebody has inherited a ring or a coin and wonders what the metal in it is worth today.",
    person_cannot="Nobody carries today's metal prices in their head.",
)
def get_metal_price(state: State, metal: Metal) -> MetalPrice:
    """Quote today's price of a precious metal per gram.

    Args:
        metal: The metal.
    """
    drift = state.draw("metal", metal, state.today.isoformat()).uniform(0.8, 1.2)
    return MetalPrice(metal=metal, eur_per_gram=float(f"{_GRAM_PRICES[metal] * drift:.3g}"))


class Percentage(Shape):
    part: float = fact("money.part", "That many per cent of the amount, rounded to cents.")
    remainder: float = fact("money.remainder", "The amount less that part, rounded to cents.")


@_MONEY.tool(
    also_done_by=(
        *("multiply", "get_fuel_needed", "get_rain_volume", "split_bill", "get_yearly_pay", "get_late_fee"),
        *("compound_interest", "scale_picture"),
    ),
    rubric=by_size(
        on(limits.product, "amount", "percent"),
        why="A discount on a price is done by head; 7.385 % of 48,219.37 is not.",
    ),
    scenario="Somebody wants to know what a discount or a fee comes to, and what is left after it.",
    person_cannot="Percentages of sums in cents are not taken in passing.",
)
def get_percentage(_state: State, amount: Positive, percent: Percent) -> Percentage:
    """Work out a percentage of an amount, and what remains of the amount without it.

    Args:
        amount: The whole amount.
        percent: The percentage, 20 for 20 %.
    """
    part = exact(amount) * exact(percent) / 100
    return Percentage(part=half_up(part, 2), remainder=half_up(exact(amount) - part, 2))


class CompoundInterest(Shape):
    final: float = fact("money.grown", "What the sum has grown to, rounded to cents.")
    interest: float = fact("money.interest", "The interest alone, rounded to cents.")


@_MONEY.tool(
    also_done_by=("multiply", "get_percentage"),
    rubric=by_size(
        on(limits.interest, "principal", "percent", "years"),
        why="Two years at 5 % are two products; seventeen years at 3.85 % are not done by head.",
    ),
    scenario="A saver compares what a sum grows to over some years at a yearly rate.",
    person_cannot="Few people raise a rate to a power in passing.",
)
def compound_interest(
    _state: State,
    principal: Positive,
    percent: Percent,
    years: Annotated[int, Attribute("duration.years"), Rules(minimum=1, maximum=100)],
) -> CompoundInterest:
    """Work out what a sum grows to when interest is added once a year.

    Args:
        principal: The sum at the start.
        percent: Interest per year, 3 for 3 %.
        years: Whole years.
    """
    final = exact(principal) * (1 + exact(percent) / 100) ** years
    return CompoundInterest(final=half_up(final, 2), interest=half_up(final - exact(principal), 2))


def _small_bill(bill: float, people: int, tip_percent: float = 0) -> bool:
    """A product done by head, and at most a dinner table."""
    return limits.product(bill, tip_percent) and people <= 12  # noqa: PLR2004 - a dinner table


class BillShare(Shape):
    per_person: float = fact("bill.share", "Share of each person, tip included, rounded to cents.")
    total: float = fact("bill.total", "The bill with the tip, rounded to cents.")


@_MONEY.tool(
    about=("bill", "people", "tip_percent"),
    also_done_by=("multiply", "get_percentage", "get_percentage_change", "average_numbers"),
    rubric=by_size(
        on(_small_bill),
        why="A table of four by head; a bill in cents for 37 people with a tip of 12.5 % not.",
    ),
    scenario="Friends at a restaurant divide the bill and add a tip.",
    person_can="Somebody at the table does it on the back of the bill.",
)
def split_bill(_state: State, bill: Positive, people: People, tip_percent: Percent = 0) -> BillShare:
    """Divide a bill evenly, with a tip on top.

    Args:
        bill: The bill without the tip.
        people: How many people pay.
        tip_percent: The tip in per cent of the bill.
    """
    total = exact(bill) * (1 + exact(tip_percent) / 100)
    return BillShare(per_person=half_up(total / people, 2), total=half_up(total, 2))


class AmountSum(Shape):
    total: float = fact("money.total", "The sum of the amounts, rounded to cents.")
    count: int = echo("How many amounts there were.")


@_MONEY.tool(
    also_done_by=("average_numbers",),
    rubric=by_size(
        on(limits.total, "amounts"), why="Three prices are added by head; a page of receipts in cents is not."
    ),
    scenario="Somebody adds up prices, receipts or a month's expenses.",
    person_cannot="A long column of amounts takes pencil, paper and patience.",
)
def add_amounts(
    _state: State,
    amounts: Annotated[
        list[Annotated[float, Rules(minimum=-1e9, maximum=1e9)]],
        Attribute("money.amounts"),
        Rules(min_items=1, max_items=1_000),
    ],
) -> AmountSum:
    """Add up amounts of money.

    Args:
        amounts: The amounts, negative ones for what is taken away.
    """
    return AmountSum(total=half_up(sum(map(exact, amounts), exact(0)), 2), count=len(amounts))
