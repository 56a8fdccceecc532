/** A number of 32 bits that is the same for the same node: where its home is among the shards of every split counter. */
export declare function nodeNumber(nodeId: string): number;
