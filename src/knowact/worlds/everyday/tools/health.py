"""Health: what the user's family has measured and been prescribed, who is open tonight, and small sums."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypedDict

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits, sources_health
from knowact.worlds.everyday.contract import (
    always,
    by_argument,
    near,
    person_can,
    person_cannot,
    refuse,
    tool,
)
from knowact.worlds.everyday.fields import CityName, ClockTime, Day, Minutes
from knowact.worlds.everyday.private.health import Checkup, DoctorVisit, Prescription
from knowact.worlds.everyday.rounding import exact, half_up
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

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


class LastCheckup(TypedDict):
    """What was last measured of somebody.

    Attributes:
        person: The person.
        date: The day of the measurement, YYYY-MM-DD.
        weight_kg: Weight in kilograms.
        height_cm: Height in centimetres.
        systolic: The upper value of the blood pressure in mmHg.
        diastolic: The lower value of the blood pressure in mmHg.
        resting_pulse: Pulse at rest in beats per minute.
    """

    person: Annotated[str, ECHO]
    date: Annotated[str, Attribute("checkup.date", is_a="day.date")]
    weight_kg: Annotated[int, Attribute("checkup.weight", is_a="body.kilograms")]
    height_cm: Annotated[int, Attribute("checkup.height", is_a="body.centimetres")]
    systolic: Annotated[int, Attribute("checkup.systolic", is_a="quantity.value")]
    diastolic: Annotated[int, Attribute("checkup.diastolic", is_a="quantity.value")]
    resting_pulse: Annotated[int, Attribute("checkup.pulse", is_a="body.pulse")]


@tool(
    category="Health",
    server="health",
    about=("person",),
    rubric=always(Dimension.PRIVACY, why="Only the family's own health folder has it."),
    scenario="Somebody looks after an older relative and wants to see what was measured last.",
    human=person_can("Whoever keeps the folder opens it at the last page."),
)
def get_last_checkup(
    state: State, person: Annotated[str, Attribute("relative.name"), Rules(max_length=120)]
) -> LastCheckup:
    """Look up what was last measured of a relative in the user's family health folder.

    Args:
        person: The relative as the folder has them, such as "Aunt Carla".
    """
    found = state.record(Checkup, person, "page for")
    return {
        "person": person,
        "date": found.date,
        "weight_kg": found.weight,
        "height_cm": found.height,
        "systolic": found.systolic,
        "diastolic": found.diastolic,
        "resting_pulse": found.pulse,
    }


class PrescriptionLeft(TypedDict):
    """What is left of a prescription.

    Attributes:
        medicine: The medicine.
        refills: How many refills are left.
        tablets: How many tablets are left at home.
        refill_from: The first day on which the next refill can be fetched, YYYY-MM-DD.
    """

    medicine: Annotated[str, ECHO]
    refills: Annotated[int, Attribute("prescription.refills", is_a="quantity.value")]
    tablets: Annotated[int, Attribute("prescription.tablets", is_a="quantity.value")]
    refill_from: Annotated[str, Attribute("prescription.refill_from", is_a="day.date")]


@tool(
    category="Health",
    server="health",
    about=("medicine",),
    rubric=always(Dimension.PRIVACY, why="It stands in the user's own medicine plan."),
    scenario="Somebody takes a tablet every day and asks how long the prescription still lasts.",
    human=person_can("The user counts the tablets and reads the slip in the box."),
)
def get_prescription(
    state: State, medicine: Annotated[str, Attribute("medicine.name"), Rules(max_length=120)]
) -> PrescriptionLeft:
    """Look up how many tablets and refills of a medicine the user has left.

    Args:
        medicine: The medicine in small letters, such as "metformin".
    """
    found = state.record(Prescription, medicine, "prescription for")
    return {
        "medicine": medicine,
        "refills": found.refills,
        "tablets": found.tablets,
        "refill_from": found.refill_from,
    }


class PharmacyOnDuty(TypedDict):
    """The pharmacy that is open late.

    Attributes:
        city: The city.
        name: Its name.
        address: House number and street.
        closes: How late it is open tonight, HH:MM.
    """

    city: Annotated[str, ECHO]
    name: Annotated[str, Attribute("pharmacy.name", is_a="text.value")]
    address: Annotated[str, Attribute("pharmacy.address", is_a="text.value")]
    closes: Annotated[str, Attribute("pharmacy.closes", is_a="moment.time")]


@tool(
    category="Health",
    server="surgeries",
    about=("city",),
    rubric=always(Dimension.TEMPORALITY, why="Pharmacies take turns, so it is another one every night."),
    scenario="A traveller has a headache late in the evening and needs a pharmacy that is still open.",
    human=person_cannot(
        "The rota of another city's pharmacies is not something that people carry with them."
    ),
)
def get_pharmacy_on_duty(state: State, city: CityName) -> PharmacyOnDuty:
    """Report which pharmacy of a city is on duty tonight, and until when.

    Args:
        city: Name of a European city, such as "Lisbon".
    """
    found = sources_health.pharmacy_on_duty(state.seed, city, state.today)
    return {"city": city, "name": found.name, "address": found.street, "closes": found.closes}


class BookedVisit(TypedDict):
    """An appointment that has been made.

    Attributes:
        doctor: The doctor.
        room: Number of the room.
        be_there: When the patient has to be there, HH:MM.
    """

    doctor: Annotated[str, ECHO]
    room: Annotated[int, Attribute("doctor_visit.room")]
    be_there: Annotated[str, Attribute("doctor_visit.be_there")]


@tool(
    category="Health",
    server="surgeries",
    about=("doctor", "date", "time"),
    changes=("doctor_visit.booked",),
    rubric=always(Dimension.INTERACTION, why="The practice keeps the time for the user afterwards."),
    scenario="Somebody needs to see a doctor and wants a time in the next days.",
    human=person_cannot("The appointment is made in the practice's book, in the user's name."),
)
def book_doctor(
    state: State,
    doctor: Annotated[str, Attribute("doctor.name"), Rules(max_length=120)],
    date: Day,
    time: ClockTime,
) -> BookedVisit:
    """Book a consultation with a doctor, from tomorrow to sixty days ahead, between 08:00 and 18:00.

    The practice is open on every day of the week.

    Args:
        doctor: The doctor, such as "Dr Jansen".
        date: The day, as YYYY-MM-DD.
        time: When it begins, HH:MM on the 24-hour clock.
    """
    if doctor not in sources_health.DOCTORS:
        refuse("not_found", f"The practice has no {doctor!r}.", near(doctor, sources_health.DOCTORS))
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
    room, minutes = sources_health.consultation(state.seed, doctor, day, time)
    begins = dt.datetime.combine(day, dt.time.fromisoformat(time))
    return {
        "doctor": doctor,
        "room": room,
        "be_there": (begins - dt.timedelta(minutes=minutes)).strftime("%H:%M"),
    }


class BodyMassIndex(TypedDict):
    """A body mass index.

    Attributes:
        bmi: Kilograms over the square of the height in metres, rounded to two decimals.
    """

    bmi: Annotated[float, Attribute("body.mass_index", is_a="quantity.value")]


def round_body(given: Mapping[str, Any]) -> bool:
    """Whole kilograms, and a height in full ten centimetres, whose square has three digits."""
    return limits.decimals(given["weight_kg"]) == 0 and given["height_cm"] % 10 == 0


@tool(
    category="Health",
    server="fitness",
    about=("weight_kg", "height_cm"),
    also_done_by=_PRODUCTS,
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="64 kg over 1.6 squared is done on paper; 83.47 kg over 1.738 squared is a long division.",
        within=round_body,
    ),
    scenario="Somebody comes from the scales and wants to know their body mass index.",
    human=person_can("It is one division that people do with a pencil."),
)
def get_body_mass_index(_state: State, weight_kg: Kilograms, height_cm: Centimetres) -> BodyMassIndex:
    """Work out a body mass index: kilograms divided by the square of the height in metres.

    Args:
        weight_kg: Weight in kilograms.
        height_cm: Height in centimetres.
    """
    return {"bmi": half_up(exact(weight_kg) * 10_000 / exact(height_cm) ** 2, 2)}


class DoseTime(TypedDict):
    """When a dose is due.

    Attributes:
        time: The time of day, HH:MM.
        days_later: 0 on the day of the first dose, 1 on the next, and so on.
    """

    time: Annotated[str, Attribute("dose.time", is_a="moment.time")]
    days_later: Annotated[int, Attribute("dose.days_later", is_a="duration.days")]


def short_course(given: Mapping[str, Any]) -> bool:
    """At most eight doses, at hours that divide the day evenly."""
    return given["number"] <= _FEW_DOSES and _HOURS_A_DAY % given["every_hours"] == 0


@tool(
    category="Health",
    server="fitness",
    about=("first", "every_hours", "number"),
    also_done_by=("get_arrival_time", "multiply"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="Four doses, eight hours apart, are counted on the clock; the 3,418th at seven hours is not.",
        within=short_course,
    ),
    scenario="Somebody takes a medicine every so many hours and wants to know when a later dose is due.",
    human=person_can("Anybody counts the hours on the clock."),
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
    return {"time": f"{hour:02d}:{minutes:02d}", "days_later": days}


class EnergyBurnt(TypedDict):
    """What an exercise takes.

    Attributes:
        kcal: Energy in kilocalories, rounded to two decimals.
    """

    kcal: Annotated[float, Attribute("exercise.kcal", is_a="quantity.value")]


@tool(
    category="Health",
    server="fitness",
    about=("minutes", "kcal_per_minute"),
    also_done_by=(*_PRODUCTS, "scale_recipe", "get_oven_time"),
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="45 minutes at 8 kilocalories is done by head; 7,463 minutes at 9.847 is not.",
        within=lambda given: limits.product(given["minutes"], given["kcal_per_minute"]),
    ),
    scenario="A runner knows what an exercise burns in a minute and adds up a session or a whole season.",
    human=person_can("It is one product, done on paper."),
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
    return {"kcal": half_up(exact(minutes) * exact(kcal_per_minute), 2)}


class TrainingPulse(TypedDict):
    """A pulse to train at.

    Attributes:
        bpm: The pulse in beats per minute, rounded to two decimals.
    """

    bpm: Annotated[float, Attribute("exercise.pulse")]


def round_pulse(given: Mapping[str, Any]) -> bool:
    """Whole beats per minute, and a percentage of full tens."""
    whole = all(limits.decimals(given[name]) == 0 for name in ("resting", "maximum"))
    return whole and given["percent"] % 10 == 0


@tool(
    category="Health",
    server="fitness",
    about=("resting", "maximum", "percent"),
    also_done_by=_PRODUCTS,
    rubric=by_argument(
        Dimension.COMPUTATION,
        why="60 % of the way from 60 to 180 is done by head; with two decimals everywhere it is not.",
        within=round_pulse,
    ),
    scenario="A runner has a training plan in per cent and wants to know what the watch should show.",
    human=person_can("A runner works it out with a pencil."),
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
    return {"bpm": half_up(exact(resting) + (exact(maximum) - exact(resting)) * exact(percent) / 100, 2)}
