import { assetScore, changeScoreAsset } from '@ondine/contract/scores'
import type { Context } from '../../context.ts'
import type { Call, On } from '../../http/operations.ts'
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

  on(
    changeScoreAsset,
    async (given, call) =>
      await scores.changeScore(call.db, parts, given, call.profile.id, await readerOf(call)),
  )
}
