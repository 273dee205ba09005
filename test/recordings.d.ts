export interface Recording {
    readonly name: string;
    readonly bytes: Buffer;
    /** The format that its folder says. */
    readonly format?: string;
}
/** Each with its folder as format. */
export declare function fixtures(): Recording[];
/** None where the shared folder is not there. */
export declare function sharedRecordings(): Recording[];
/** What the shared manifest counted in a file. */
export interface Counts {
    readonly transcripts: number;
    readonly messages: number;
    readonly toolCalls: number;
    readonly toolResults: number;
    readonly danglingCalls: number;
    readonly orphanResults: number;
}
export declare function sharedCounts(): ReadonlyMap<string, Counts>;
