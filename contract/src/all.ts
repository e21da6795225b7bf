import { accountDetails, activateProfile, listProfiles, logout, oauthToken, session } from './accounts.ts'
import { activeAssets, assets, contentData, hierarchy, homeContent, listContent } from './catalogue.ts'
import { epg, epgEvent, epgGrid, listChannels } from './channels.ts'
import {
  changeConfiguration,
  configurationHistory,
  diffConfiguration,
  readConfiguration,
  redirectedKey,
  replaceConfiguration,
  restoreConfiguration,
  undoConfiguration,
} from './configuration-calls.ts'
import { editorialData, faqData, listEditorial } from './editorial.ts'
import { imgdata } from './image-calls.ts'
import { importProgress } from './imports.ts'
import { msg } from './messages.ts'
import type { Operation } from './operation.ts'
import {
  askLicenseFP,
  askLicenseWV,
  channelStream,
  getVodLicense,
  heartbeat,
  listAssetTags,
  readAsset,
  readTrailer,
  testAsset,
} from './playback.ts'
import { menusHistory, readMenus, replaceMenus, restoreMenus, undoMenus } from './publication-calls.ts'
import { assetScore, changeScoreAsset } from './scores.ts'
import { related, search } from './search.ts'
import {
  changeWords,
  diffWords,
  readWords,
  replaceWords,
  restoreWords,
  undoWords,
  wordsHistory,
} from './words-calls.ts'

/** Every call of the contract. A test holds the running server against it. */
export const OPERATIONS: readonly Operation[] = [
  accountDetails,
  activateProfile,
  activeAssets,
  askLicenseFP,
  askLicenseWV,
  assetScore,
  assets,
  changeConfiguration,
  changeScoreAsset,
  changeWords,
  channelStream,
  configurationHistory,
  contentData,
  diffConfiguration,
  diffWords,
  editorialData,
  epg,
  epgEvent,
  epgGrid,
  faqData,
  getVodLicense,
  heartbeat,
  hierarchy,
  homeContent,
  imgdata,
  importProgress,
  listAssetTags,
  listChannels,
  listContent,
  listEditorial,
  listProfiles,
  logout,
  menusHistory,
  msg,
  oauthToken,
  readAsset,
  readConfiguration,
  readMenus,
  readTrailer,
  readWords,
  redirectedKey,
  related,
  replaceConfiguration,
  replaceMenus,
  replaceWords,
  restoreConfiguration,
  restoreMenus,
  restoreWords,
  search,
  session,
  testAsset,
  undoConfiguration,
  undoMenus,
  undoWords,
  wordsHistory,
]
