/** Thrown out of a scan when it has been stopped. */
export class ScanStopped extends Error {
  override readonly name = "ScanStopped";
}
