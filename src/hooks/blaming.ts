/** What fails because of the values that a program handed over is a TranscriptError that says where they are wrong. */
export async function blaming<T>(input: unknown, name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { blamed } = await import('../engine/unwritable.js'); // only now, to keep the adapters small
    throw blamed(error, input, name);
  }
}
