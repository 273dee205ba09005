/** What SPEC.md calls valid, written down without any of our code: the judge in tests of promises 2 and 3. */
export interface ChatMessage {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_calls?: readonly {
        readonly id: string;
    }[] | null;
    readonly tool_call_id?: string;
}
/** Every call answered exactly once, by the unbroken run of results right after its message, and no result anywhere else. */
export declare function faultsOf(messages: readonly ChatMessage[]): string[];
