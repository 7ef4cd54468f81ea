/**
 * Starts something with `start`, again while its file is busy: a program that another test's thread
 * is just starting holds an executable we have written open for a moment (ETXTBSY).
 */
export async function onceRunnable<T>(start: () => T | Promise<T>): Promise<T> {
  for (let attempt = 0;; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === 100 || !/Text file busy/.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
