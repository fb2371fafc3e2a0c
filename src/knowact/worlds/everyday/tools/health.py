"""Health: what the user's family has measured and been prescribed, who is open tonight, and small sums."""

from typing import Annotated, Final

from knowact.core.tool import Dimension
from knowact.worlds.everyday import limits
from knowact.worlds.everyday.clock import DAY_MINUTES, check_booking, clock_time, minutes_of
from knowact.worlds.everyday.contract import MULTIPLIERS, Server, always, by_size, check_listed, on, refuse
from knowact.worlds.everyday.fields import CityName, ClockTime, Day, Minutes
from knowact.worlds.everyday.places import city as known_city
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


_HEALTH: Final = Server("Health", "health")
_SURGERIES: Final = Server("Health", "surgeries")
_FITNESS: Final = Server("Health", "fitness")

Kilograms = Annotated[float, Attribute("body.kilograms"), Rules(minimum=1, maximum=700)]
Centimetres = Annotated[float, Attribute("body.centimetres"), Rules(minimum=30, maximum=300)]
Pulse = Annotated[float, Attribute("body.pulse"), Rules(minimum=20, maximum=300)]
_SURGERY: Final = ("08:00", "18:00")
_HOURS_A_DAY: Final = 24
_FEW_DOSES: Final = 8


class LastCheckup(Shape):
    person: str = echo("The person.")
    date: str = fact("checkup.date", "The day of the measurement, YYYY-MM-DD.")
    weight_kg: int = fact("checkup.weight", "Weight in kilograms.", row="weight")
    height_cm: int = fact("checkup.height", "Height in centimetres.", row="height")
    systolic: int = fact("checkup.systolic", "The upper value of the blood pressure in mmHg.")
    diastolic: int = fact("checkup.diastolic", "The lower value of the blood pressure in mmHg.")
    resting_pulse: int = fact("checkup.pulse", "Pulse at rest in beats per minute.", row="pulse")


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
    return LastCheckup.of(state.record(Checkup, person, "page for"), person=person)


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
    return PrescriptionShown.of(state.record(Prescription, medicine, "prescription for"), medicine=medicine)


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
    known_city(city)
    draw = state.draw("pharmacy", city, state.today.isoformat())
    return PharmacyOnDuty(
        city=city,
        name=f"{draw.choice(_FIRST_NAMES)} Pharmacy",
        address=f"{draw.randint(1, 96)} {draw.choice(_STREETS)}",
        closes=f"{draw.choice((22, 23)):02d}:{draw.choice((0, 10, 15, 20, 30, 40, 45, 50)):02d}",
    )


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
    check_listed(DOCTORS, doctor, f"The practice has no {doctor!r}.")
    check_booking(
        state.today,
        date,
        time,
        _SURGERY,
        unbookable=f"Consultations cannot be booked for {date}.",
        closed=f"Nobody is seen at {time}.",
    )
    key = f"{date} {time}"
    if key in state.table(DoctorVisit):
        refuse("conflict", f"There is a consultation on {date} at {time} already.", "Choose another time.")
    state.put(key, DoctorVisit(doctor=doctor, date=date, time=time))
    draw = state.draw("consultation", doctor, date, time)
    room, early = draw.randint(1, 24), draw.choice((5, 10, 15, 20, 25, 30))
    return DoctorBooking(doctor=doctor, room=room, be_there=clock_time(minutes_of(time) - early))


def round_body(weight_kg: float, height_cm: float) -> bool:
    """Whole kilograms, and a height in full ten centimetres, whose square has three digits."""
    return limits.decimals(weight_kg) == 0 and height_cm % 10 == 0


class BodyMassIndex(Shape):
    bmi: float = fact(
        "body.mass_index", "Kilograms over the square of the height in metres, rounded to two decimals."
    )


@_FITNESS.tool(
    also_done_by=MULTIPLIERS,
    rubric=by_size(
        on(round_body),
        why="64 kg over 1.6 squared is done on paper; 83.47 kg over 1.738 squared is a long division.",
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


def short_course(every_hours: int, number: int) -> bool:
    """At most eight doses, at hours that divide the day evenly."""
    return number <= _FEW_DOSES and _HOURS_A_DAY % every_hours == 0


class DoseTime(Shape):
    time: str = fact("dose.time", "The time of day, HH:MM.")
    days_later: int = fact("dose.days_later", "0 on the day of the first dose, 1 on the next, and so on.")


@_FITNESS.tool(
    also_done_by=("get_arrival_time", "multiply"),
    rubric=by_size(
        on(short_course),
        why="Four doses, eight hours apart, are counted on the clock; the 3,418th at seven hours is not.",
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
    days, minutes = divmod(minutes_of(first) + 60 * every_hours * (number - 1), DAY_MINUTES)
    return DoseTime(time=clock_time(minutes), days_later=days)


class EnergyBurnt(Shape):
    kcal: float = fact("exercise.kcal", "Energy in kilocalories, rounded to two decimals.")


@_FITNESS.tool(
    also_done_by=(*MULTIPLIERS, "scale_recipe", "get_oven_time"),
    rubric=by_size(
        on(limits.product, "minutes", "kcal_per_minute"),
        why="45 minutes at 8 kilocalories is done by head; 7,463 minutes at 9.847 is not.",
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


def round_pulse(resting: float, maximum: float, percent: float) -> bool:
    """Whole beats per minute, and a percentage of full tens."""
    return limits.decimals(resting) == limits.decimals(maximum) == 0 and percent % 10 == 0


class TrainingPulse(Shape):
    bpm: float = fact("exercise.pulse", "The pulse in beats per minute, rounded to two decimals.")


@_FITNESS.tool(
    also_done_by=MULTIPLIERS,
    rubric=by_size(
        on(round_pulse),
        why="60 % of the way from 60 to 180 is done by head; with two decimals everywhere it is not.",
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
