'use strict';

const { reporters } = require('mocha');

/** Mocha's `spec` reporter with one more line, the last: how many tests passed and how many failed. */
module.exports = class CountingReporter extends reporters.Spec {
  /** Prints the summary and the failures, then the counts; a hook that failed counts as a failure. */
  epilogue() {
    super.epilogue();
    const { passes, failures } = this.stats;
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed`);
  }
};
