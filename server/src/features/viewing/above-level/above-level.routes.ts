import { aboveLevel } from '@ondine/contract/above-level'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'
import { isAboveLevel } from './above-level.ts'

export function registerAboveLevel(on: On, context: Context): void {
  on(aboveLevel, async (subject, call) => {
    const { language, now } = call
    const viewer = await context.viewers.of(call, now)
    return { above: await isAboveLevel(context, subject, { viewer, language, now }) }
  })
}
