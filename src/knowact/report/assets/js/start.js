"use strict";

knowact.startTables();
knowact.startSorting();
// A page without trials has neither of these.
knowact.startItems?.();
knowact.startTranscript?.();
knowact.startSides?.();
knowact.startLinks?.();
knowact.startCharts().then(() => {
  knowact.settle();
  document.documentElement.dataset.ready = "yes";
});
knowact.startOpening();
