// The last line of a run, for whoever counts: 'N passed, N failed'.

export default class Count {
  passed = 0;
  failed = 0;

  onTestEnd(_, result) {
    if (result.status === "passed") this.passed += 1;
    else if (result.status !== "skipped") this.failed += 1;
  }

  onError(error) {
    this.failed += 1;
    console.error(error.message ?? error.value);
  }

  onExit() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
  }
}
