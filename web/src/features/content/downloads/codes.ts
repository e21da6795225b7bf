/**
 * The error codes to which downloads react. They are repeated here, because an import of the contract's list with all
 * texts would move that list from the player's code to a file that the first page has to name.
 */
export const DOWNLOAD_CODES = {
  noViewingRights: -11,
  resourceNotActive: -1605,
  notFound: -404,
  tooManyDownloads: -513,
  tooManyDownloadDevices: -514,
} as const
