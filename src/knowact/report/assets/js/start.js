"use strict";

knowact.startTables();
knowact.startItems();
knowact.startTranscript();
knowact.startCharts().then(() => (document.documentElement.dataset.ready = "yes"));
if (matchMedia("(max-width: 70rem)").matches) document.querySelector(".contents details")?.removeAttribute("open");
