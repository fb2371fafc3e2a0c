"""Health: what the user's family has measured and been prescribed, who is open tonight, and small sums."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from knowact.core.seeds import generator
from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.contract import Server, always, by_argument, near, refuse
from knowact.worlds.everyday.fields import CityName, ClockTime, Day, Minutes
from knowact.worlds.everyday.places import city
from knowact.worlds.everyday.private.town import Checkup, DoctorVisit, Prescription
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

DOCTORS: Final = (
    *("Dr Verhoeven", "Dr Adeyemi", "Dr Castellani", "Dr Lindholm", "Dr Rahimi", "Dr Okonkwo", "Dr Jansen"),
    *("Dr Moreau", "Dr Petrova", "Dr Silva", "Dr Hartmann", "Dr Yamada"),
)
"""Invented, and the same under every seed."""
_FIRST_NAMES: Final = ("Swan", "Sun", "Linden", "Harbour", "Station", "Castle", "Rose", "Bridge", "Eagle")
_STREETS: Final = (
    *("Mill Street", "Station Road", "Orchard Lane", "Canal Street", "Church Square"),
    *("Rope Walk", "Market Street", "Garden Road", "Tower Street", "Ferry Lane"),
)


@dataclass(frozen=True, slots=True)
class Pharmacy:
    """The pharmacy on duty of a night. `closes` is a time of the day."""

    name: str
    street: str
    closes: str


def pharmacy_on_duty(seed: int, place: str, day: dt.date) -> Pharmacy:
    """Return which pharmacy of a city stays open on the night of a day."""
    city(place)
    draw = generator(seed, "pharmacy", place, day.isoformat())
    return Pharmacy(
        name=f"{draw.choice(_FIRST_NAMES)} Pharmacy",
        street=f"{draw.randint(1, 96)} {draw.choice(_STREETS)}",
        closes=f"{draw.choice((22, 23)):02d}:{draw.choice((0, 10, 15, 20, 30, 40, 45, 50)):02d}",
    )


def consultation(seed: int, doctor: str, day: dt.date, time: str) -> tuple[int, int]:
    """Return the room of a consultation, and how many minutes before it one has to be there."""
    draw = generator(seed, "consultation", doctor, day.isoformat(), time)
    return draw.randint(1, 24), draw.choice((5, 10, 15, 20, 25, 30))


_HEALTH: Final = Server("Health", "health")
_SURGERIES: Final = Server("Health", "surgeries")
_FITNESS: Final = Server("Health", "fitness")

Kilograms = Annotated[float, Attribute("body.kilograms"), Rules(minimum=1, maximum=700)]
Centimetres = Annotated[float, Attribute("body.centimetres"), Rules(minimum=30, maximum=300)]
Pulse = Annotated[float, Attribute("body.pulse"), Rules(minimum=20, maximum=300)]
_PRODUCTS: Final = (
    *("multiply", "get_percentage", "get_fuel_needed", "get_rain_volume"),
    *("scale_picture", "get_tourist_tax", "get_late_fee", "get_yearly_pay"),
)
"""Each of them multiplies, whatever it calls the factors."""
_SURGERY: Final = ("08:00", "18:00")
_BOOKED_AHEAD: Final = 60
_HOURS_A_DAY: Final = 24
_FEW_DOSES: Final = 8


class LastCheckup(Shape):
    person: str = echo("The person.")
    date: str = fact("checkup.date", "The day of the measurement, YYYY-MM-DD.")
    weight_kg: int = fact("checkup.weight", "Weight in kilograms.")
    height_cm: int = fact("checkup.height", "Height in centimetres.")
    systolic: int = fact("checkup.systolic", "The upper value of the blood pressure in mmHg.")
    diastolic: int = fact("checkup.diastolic", "The lower value of the blood pressure in mmHg.")
    resting_pulse: int = fact("checkup.pulse", "Pulse at rest in beats per minute.")


@_HEALTH.tool(
    rubric=always(Dimension.PRIVACY, why="Only the family's own health folder has it."),
    scenario="Somebody looks after an older relative and wants to see what was measured last.",
    person_can="Whoever keeps the folder opens it at the last page.",
)
def get_last_checkup(
    state: State, person: Annotated[str, Attribute("relative.name"), Rules(max_length=120)]
) -> LastCheckup:
    """Look up what was last measured of a relative in the user's family health folder.

    Args:
        person: The relative as the folder has them, such as "Aunt Carla".
    """
    found = state.record(Checkup, person, "page for")
    return LastCheckup(
        person=person,
        date=found.date,
        weight_kg=found.weight,
        height_cm=found.height,
        systolic=found.systolic,
        diastolic=found.diastolic,
        resting_pulse=found.pulse,
    )


class PrescriptionShown(Shape):
    medicine: str = echo("The medicine.")
    refills: int = fact("prescription.refills", "How many refills are left.")
    tablets: int = fact("prescription.tablets", "How many tablets are left at home.")
    refill_from: str = fact(
        "prescription.refill_from", "The first day on which the next refill can be fetched, YYYY-MM-DD."
    )


@_HEALTH.tool(
    rubric=always(Dimension.PRIVACY, why="It stands in the user's own medicine plan."),
    scenario="Somebody takes a tablet every day and asks how long the prescription still lasts.",
    person_can="The user counts the tablets and reads the slip in the box.",
)
def get_prescription(
    state: State, medicine: Annotated[str, Attribute("medicine.name"), Rules(max_length=120)]
) -> PrescriptionShown:
    """Look up how many tablets and refills of a medicine the user has left.

    Args:
        medicine: The medicine in small letters, such as "metformin".
    """
    found = state.record(Prescription, medicine, "prescription for")
    return PrescriptionShown(
        medicine=medicine, refills=found.refills, tablets=found.tablets, refill_from=found.refill_from
    )


class PharmacyOnDuty(Shape):
    city: str = echo("The city.")
    name: str = fact("pharmacy.name", "Its name.")
    address: str = fact("pharmacy.address", "House number and street.")
    closes: str = fact("pharmacy.closes", "How late it is open tonight, HH:MM.")


@_SURGERIES.tool(
    rubric=always(Dimension.TEMPORALITY, why="Pharmacies take turns, so it is another one every night."),
    scenario="A traveller has a headache late in the evening and needs a pharmacy that is still open.",
    person_cannot="The rota of another city's pharmacies is not something that people carry with them.",
)
def get_pharmacy_on_duty(state: State, city: CityName) -> PharmacyOnDuty:
    """Report which pharmacy of a city is on duty tonight, and until when.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    found = pharmacy_on_duty(state.seed, city, state.today)
    return PharmacyOnDuty(city=city, name=found.name, address=found.street, closes=found.closes)


class DoctorBooking(Shape):
    doctor: str = echo("The doctor.")
    room: int = fact("doctor_visit.room", "Number of the room.")
    be_there: str = fact("doctor_visit.be_there", "When the patient has to be there, HH:MM.")


@_SURGERIES.tool(
    changes=("doctor_visit.booked",),
    rubric=always(Dimension.INTERACTION, why="The practice keeps the time for the user afterwards."),
    scenario="Somebody needs to see a doctor and wants a time in the next days.",
    person_cannot="The appointment is made in the practice's book, in the user's name.",
)
def book_doctor(
    state: State,
    doctor: Annotated[str, Attribute("doctor.name"), Rules(max_length=120)],
    date: Day,
    time: ClockTime,
) -> DoctorBooking:
    """Book a consultation with a doctor, from tomorrow to sixty days ahead, between 08:00 and 18:00.

    The practice is open on every day of the week.

    Args:
        doctor: The doctor, such as "Dr Jansen".
        date: The day, as YYYY-MM-DD.
        time: When it begins, HH:MM on the 24-hour clock.
    """
    if doctor not in DOCTORS:
        refuse("not_found", f"The practice has no {doctor!r}.", near(doctor, DOCTORS))
    day = dt.date.fromisoformat(date)
    first, last = state.today + dt.timedelta(days=1), state.today + dt.timedelta(days=_BOOKED_AHEAD)
    if not first <= day <= last:
        fix = f"Choose a day from {first.isoformat()} to {last.isoformat()}."
        refuse("bad_arguments", f"Consultations cannot be booked for {date}.", fix)
    opens, closes = _SURGERY
    if not opens <= time <= closes:
        refuse("bad_arguments", f"Nobody is seen at {time}.", f"Choose a time from {opens} to {closes}.")
    key = f"{date} {time}"
    if key in state.table(DoctorVisit):
        refuse("conflict", f"There is a consultation on {date} at {time} already.", "Choose another time.")
    state.put(key, DoctorVisit(doctor=doctor, date=date, time=time))
    room, minutes = consultation(state.seed, doctor, day, time)
    begins = dt.datetime.combine(day, dt.time.fromisoformat(time))
    return DoctorBooking(
        doctor=doctor, room=room, be_there=(begins - dt.timedelta(minutes=minutes)).strftime("%H:%M")
    )


def round_body(given: Mapping[str, Any]) -> bool:
    """Whole kilograms, and a height in full ten centimetres, whose square has three digits."""
    return limits.decimals(given["weight_kg"]) == 0 and given["height_cm"] % 10 == 0


class BodyMassIndex(Shape):
    bmi: float = fact(
        "body.mass_index", "Kilograms over the square of the height in metres, rounded to two decimals."
    )


@_FITNESS.tool(
    also_done_by=_PRODUCTS,
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="64 kg over 1.6 squared is done on paper; 83.47 kg over 1.738 squared is a long division.",
        within=round_body,
    ),
    scenario="Somebody comes from the scales and wants to know their body mass index.",
    person_can="It is one division that people do with a pencil.",
)
def get_body_mass_index(_state: State, weight_kg: Kilograms, height_cm: Centimetres) -> BodyMassIndex:
    """Work out a body mass index: kilograms divided by the square of the height in metres.

    Args:
        weight_kg: Weight in kilograms.
        height_cm: Height in centimetres.
    """
    return BodyMassIndex(bmi=half_up(exact(weight_kg) * 10_000 / exact(height_cm) ** 2, 2))


def short_course(given: Mapping[str, Any]) -> bool:
    """At most eight doses, at hours that divide the day evenly."""
    return given["number"] <= _FEW_DOSES and _HOURS_A_DAY % given["every_hours"] == 0


class DoseTime(Shape):
    time: str = fact("dose.time", "The time of day, HH:MM.")
    days_later: int = fact("dose.days_later", "0 on the day of the first dose, 1 on the next, and so on.")


@_FITNESS.tool(
    also_done_by=("get_arrival_time", "multiply"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Four doses, eight hours apart, are counted on the clock; the 3,418th at seven hours is not.",
        within=short_course,
    ),
    scenario="Somebody takes a medicine every so many hours and wants to know when a later dose is due.",
    person_can="Anybody counts the hours on the clock.",
)
def get_dose_time(
    _state: State,
    first: ClockTime,
    every_hours: Annotated[int, Attribute("dose.every_hours"), Rules(minimum=1, maximum=1_000)],
    number: Annotated[int, Attribute("dose.number"), Rules(minimum=1, maximum=100_000)],
) -> DoseTime:
    """Work out when a dose is due that is taken every so many hours; the clocks are not changed meanwhile.

    Args:
        first: When the first dose is taken, HH:MM on the 24-hour clock.
        every_hours: Hours from one dose to the next.
        number: Which dose; 1 is the first.
    """
    hours, minutes = map(int, first.split(":"))
    days, hour = divmod(hours + every_hours * (number - 1), _HOURS_A_DAY)
    return DoseTime(time=f"{hour:02d}:{minutes:02d}", days_later=days)


class EnergyBurnt(Shape):
    kcal: float = fact("exercise.kcal", "Energy in kilocalories, rounded to two decimals.")


@_FITNESS.tool(
    also_done_by=(*_PRODUCTS, "scale_recipe", "get_oven_time"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="45 minutes at 8 kilocalories is done by head; 7,463 minutes at 9.847 is not.",
        within=lambda given: limits.product(given["minutes"], given["kcal_per_minute"]),
    ),
    scenario="A runner knows what an exercise burns in a minute and adds up a session or a whole season.",
    person_can="It is one product, done on paper.",
)
def get_energy_burnt(
    _state: State,
    minutes: Minutes,
    kcal_per_minute: Annotated[float, Attribute("exercise.rate"), Rules(minimum=0, maximum=100)],
) -> EnergyBurnt:
    """Work out how many kilocalories an exercise burns at a known rate.

    Args:
        minutes: How long it lasts, in minutes.
        kcal_per_minute: Kilocalories that it burns in a minute.
    """
    return EnergyBurnt(kcal=half_up(exact(minutes) * exact(kcal_per_minute), 2))


def round_pulse(given: Mapping[str, Any]) -> bool:
    """Whole beats per minute, and a percentage of full tens."""
    whole = all(limits.decimals(given[name]) == 0 for name in ("resting", "maximum"))
    return whole and given["percent"] % 10 == 0


class TrainingPulse(Shape):
    bpm: float = fact("exercise.pulse", "The pulse in beats per minute, rounded to two decimals.")


@_FITNESS.tool(
    also_done_by=_PRODUCTS,
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="60 % of the way from 60 to 180 is done by head; with two decimals everywhere it is not.",
        within=round_pulse,
    ),
    scenario="A runner has a training plan in per cent and wants to know what the watch should show.",
    person_can="A runner works it out with a pencil.",
)
def get_training_pulse(
    _state: State,
    resting: Pulse,
    maximum: Pulse,
    percent: Annotated[float, Attribute("exercise.intensity"), Rules(minimum=0, maximum=100)],
) -> TrainingPulse:
    """Work out the pulse that lies so many per cent of the way from the resting to the maximum pulse.

    Args:
        resting: Resting pulse in beats per minute.
        maximum: Maximum pulse in beats per minute.
        percent: How far up, 60 for 60 % of the way.
    """
    if resting >= maximum:
        refuse("bad_arguments", "The resting pulse is not below the maximum.", "Swap the two.")
    return TrainingPulse(
        bpm=half_up(exact(resting) + (exact(maximum) - exact(resting)) * exact(percent) / 100, 2)
    )
