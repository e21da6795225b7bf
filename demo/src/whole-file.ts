import { rename, writeFile } from 'node:fs/promises'

/** Writes a text file, so that readers see either the earlier file or all of the new one. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text)
  await rename(`${file}.part`, file)
}
