/**
 * The error codes to which downloads react. The contract's list of all codes with their texts is left out, because the
 * player has it in its own code, and the first page would have to name one more file.
 */
export const DOWNLOAD_CODES = {
  noViewingRights: -11,
  resourceNotActive: -1605,
  notFound: -404,
  tooManyDownloads: -513,
  tooManyDownloadDevices: -514,
} as const
