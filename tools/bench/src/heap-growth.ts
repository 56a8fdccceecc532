/** Bytes that operations allocate, by how much the heap grows while no collection comes between two looks. */
export class HeapGrowth {
  private bytes = 0;
  private operations = 0;
  private lastBytes = process.memoryUsage().heapUsed;

  /** To be called after every so many operations: few enough that most looks meet no collection. */
  look(operations: number): void {
    const usedBytes = process.memoryUsage().heapUsed;
    if (usedBytes > this.lastBytes) {
      this.bytes += usedBytes - this.lastBytes;
      this.operations += operations;
    }
    this.lastBytes = usedBytes;
  }

  get bytesEach(): number {
    return this.bytes / this.operations;
  }
}
