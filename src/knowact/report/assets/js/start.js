"use strict";

knowact.startTables();
// A page without trials has neither of these.
knowact.startItems?.();
knowact.startTranscript?.();
knowact.startSides?.();
knowact.startLinks?.();
knowact.startCharts().then(() => (document.documentElement.dataset.ready = "yes"));
if (matchMedia("(max-width: 70rem)").matches) document.querySelector(".contents details")?.removeAttribute("open");
