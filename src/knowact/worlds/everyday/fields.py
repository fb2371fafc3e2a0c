"""The types that values of several tools have; each says what it is an attribute of."""

from typing import Annotated, Final

from knowact.worlds.typed.schema import Attribute, Rules

_NAME: Final = Rules(max_length=120)
_TEXT: Final = Rules(max_length=20_000)
_DAY: Final = Rules(format="date")
_TIME: Final = Rules(format="time")

CityName = Annotated[str, Attribute("city.name"), _NAME]
Day = Annotated[str, Attribute("day.date"), _DAY]
ClockTime = Annotated[str, Attribute("moment.time"), _TIME]
Minutes = Annotated[int, Attribute("duration.minutes"), Rules(minimum=0, maximum=100_000)]
DayCount = Annotated[int, Attribute("duration.days"), Rules(minimum=-200_000, maximum=200_000)]
PersonName = Annotated[str, Attribute("person.name"), _NAME]
Email = Annotated[str, Attribute("person.email"), _NAME]
OrderNumber = Annotated[str, Attribute("order.number"), _NAME]
BookingReference = Annotated[str, Attribute("booking.reference"), _NAME]
FlightNumber = Annotated[str, Attribute("flight.number"), _NAME]
TrainNumber = Annotated[str, Attribute("train.number"), _NAME]
StockSymbol = Annotated[str, Attribute("stock.symbol"), _NAME]
EventTitle = Annotated[str, Attribute("event.title"), _NAME]
NoteTitle = Annotated[str, Attribute("note.title"), _NAME]
Payee = Annotated[str, Attribute("payee.name"), _NAME]
Text = Annotated[str, Attribute("text.value"), _TEXT]
Quantity = Annotated[float, Attribute("quantity.value"), Rules(minimum=-1e15, maximum=1e15)]
Positive = Annotated[float, Attribute("quantity.value"), Rules(minimum=0, maximum=1e12)]
People = Annotated[int, Attribute("people.count"), Rules(minimum=1, maximum=1_000)]
Percent = Annotated[float, Attribute("rate.percent"), Rules(minimum=0, maximum=1_000)]
