import { stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Problem } from '../../../files/scan-folder.ts'
import type { Crop } from '../../../ingest/images.ts'
import { IngestError } from '../../../ingest/reasons.ts'
import { isErrno } from '../../../is-errno.ts'
import { insertImages } from '../../inventory/titles/images.service.ts'
import { libraryPictures } from './library.table.ts'

/**
 * Returns the image store id of a library's picture, or of a crop of it. Returns null if the file does not exist.
 * If the file is not a picture, reports a problem, and returns the picture that the file was before, or null. Does not
 * open a picture that has not changed since the last import, unless the store has lost it.
 *
 * @param file absolute path
 */
export async function takePicture(
  { db, images: store }: Pick<Context, 'db' | 'images'>,
  file: string | null,
  problems: Problem[],
  cut?: Crop,
): Promise<string | null> {
  if (file === null) return null
  const path = cut === undefined ? file : `${file}#${cut}`
  const [row] = await db.select().from(libraryPictures).where(eq(libraryPictures.path, path))
  const known = row && (await store.original(row.imageId)) !== undefined ? row : undefined
  try {
    const { size, mtimeMs } = await stat(file)
    const modifiedAt = Math.floor(mtimeMs)
    if (known?.size === size && known.modifiedAt === modifiedAt) return known.imageId
    const image = await store.store(file, cut)
    const seen = { size, modifiedAt, imageId: image.id }
    await db.transaction(async (tx) => {
      await insertImages(tx, [image])
      await tx
        .insert(libraryPictures)
        .values({ path, ...seen })
        .onConflictDoUpdate({ target: libraryPictures.path, set: seen })
    })
    return image.id
  } catch (error) {
    if (!(error instanceof IngestError || isErrno(error, 'ENOENT'))) throw error
    const keeps = known === undefined ? '' : '; until it is repaired, its title keeps the picture that it had'
    problems.push({ path: file, reason: `${error.message}${keeps}` })
    return known?.imageId ?? null
  }
}
