import { join } from 'node:path'
import type { Context } from '../../../context.ts'
import type { Storefront } from '../../../http/operations.ts'
import { importEditorial } from '../../viewing/editorial/editorial-import.service.ts'

/**
 * Imports the demonstration's articles and pages, by the same import as other texts. The texts come before the
 * films, so that viewers can read them while the films are imported. Pictures are added as soon as they are drawn.
 */
export async function takeDemonstrationTexts(
  context: Context,
  storefronts: readonly Storefront[],
  signal: AbortSignal,
): Promise<void> {
  const { drawStills, writeTexts } = await import('@ondine/demo/make-editorial')
  const folder = join(context.folders.library, 'editorial')
  const take = async () => {
    for (const storefront of storefronts) {
      const { problems } = await importEditorial(context, folder, { storefront, signal })
      for (const problem of problems) context.log.warn(problem, 'a text of the demonstration was left out')
    }
  }
  await writeTexts(folder)
  await take()
  if ((await drawStills(folder, signal)) > 0) await take()
}
