import {
  downloadAsset,
  downloadHelperTokens,
  downloadLicence,
  exchangePositions,
  releaseDownload,
} from '@ondine/contract/downloads'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'
import { exchangeDownloadPositions } from './download-positions.ts'
import { type DownloadParts, issueLicence, lendToHelper, prepareDownload } from './downloads.service.ts'
import { releaseHeld } from './held-downloads.ts'

/** Registers the calls that prepare a download, issue its keys and exchange its positions. */
export function registerDownloads(on: On, context: Context, parts: DownloadParts): void {
  on(downloadAsset, async (input, call) => await prepareDownload(context, parts, call, input))
  on(downloadLicence, async (input, call) => await issueLicence(context, parts, call, input))
  on(downloadHelperTokens, async (input, call) => await lendToHelper(context, call, input))
  on(exchangePositions, async (input, call) => await exchangeDownloadPositions(context, call, input))
  on(releaseDownload, async ({ idAsset, deviceKey }, { account, db }) => {
    await releaseHeld(db, { accountId: account.id, assetId: idAsset, deviceKey })
    return null
  })
}
