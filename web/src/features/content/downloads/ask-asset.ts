import { downloadAsset } from '@ondine/contract/downloads'
import type { OutputOf } from '@ondine/contract/operation'
import { call } from '../../../api/call.ts'
import type { Download } from './download.ts'

/** Asks the service to prepare a download. The call checks the right to the title, and changes nothing. */
export async function askAsset(
  { assetId, languages, height }: Pick<Download, 'assetId' | 'languages' | 'height'>,
  parentalProof: string | undefined,
): Promise<OutputOf<typeof downloadAsset>> {
  return await call(downloadAsset, {
    idAsset: assetId,
    idAudioLang: languages.audio,
    idSubtitleLang: languages.subtitle,
    asUrl: undefined,
    height,
    parentalProof,
  })
}
