import { assetScore, changeScoreAsset } from '@ondine/contract/scores'
import type { Context } from '../../../context.ts'
import type { Call, On } from '../../../http/operations.ts'
import { requireAccount } from '../../people/accounts/accounts.service.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import type { Reader } from '../catalogue/catalogue.presenter.ts'
import * as scores from './scores.service.ts'

export function registerScores(on: On, { viewers, catalogue: parts }: Context): void {
  const readerOf = async (call: Call): Promise<Reader> => ({
    viewer: await viewers.of(call, call.now),
    language: call.language,
    now: call.now,
  })

  on(assetScore, async (title, call) => await scores.readScore(call.db, parts, title, await readerOf(call)), {
    sharedAmongVisitors: true,
  })

  on(changeScoreAsset, async (given, call) => {
    const { db, account } = call
    await requireAccount(db, account)
    // The token's profile may have been deleted meanwhile.
    const { id } = await requireProfile(db, account.id, call.profile.id)
    return await scores.changeScore(db, parts, given, id, await readerOf(call))
  })
}
