import { rename, writeFile } from 'node:fs/promises'

/** Writes a text file atomically: readers see either the previous content or all of the new content. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text)
  await rename(`${file}.part`, file)
}
