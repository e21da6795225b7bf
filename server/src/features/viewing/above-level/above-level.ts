import type { aboveLevel } from '@ondine/contract/above-level'
import type { InputOf } from '@ondine/contract/operation'
import type { Context } from '../../../context.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import { isVisible, VISITOR } from '../../rights/entitlements/entitlements.service.ts'
import { findPlayableChannel } from '../../television/channels/channels.service.ts'
import { programmeOf } from '../../television/channels/event.service.ts'

type Subject = InputOf<typeof aboveLevel>

/**
 * Returns true if a child's profile does not see content that viewers without a sign-in see, because the level of
 * the content is too high for the child (spec 27). The result reveals only that the content exists
 * (docs/decisions/0045).
 */
export async function isAboveLevel(context: Context, subject: Subject, reader: Reader): Promise<boolean> {
  if (!reader.viewer.kid) return false
  const [isThere, isShown] = await Promise.all([
    exists(context, subject, { ...reader, viewer: VISITOR }),
    exists(context, subject, reader),
  ])
  return isThere && !isShown
}

async function exists(
  { db, catalogue }: Pick<Context, 'db' | 'catalogue'>,
  { contentType, contentId }: Subject,
  reader: Reader,
): Promise<boolean> {
  switch (contentType) {
    case 'asset':
      return (await catalogue.memory.view(reader)).assetRow(contentId) !== undefined
    case 'category':
      return (await catalogue.memory.view(reader)).categoryRow(contentId) !== undefined
    case 'channel': {
      const channel = await findPlayableChannel(db, contentId)
      return channel !== undefined && isVisible(reader.viewer, channel)
    }
    default:
      return (await programmeOf(db, reader.viewer, reader.language, contentId)) !== undefined
  }
}
