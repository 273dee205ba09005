/** The price list of a package, without what we do not use. The build evaluates this file and keeps the result. */
import { waitForUpdate } from '@pydantic/genai-prices';

const providers = (await waitForUpdate()) ?? []; // nothing is fetched: the package waits only for what somebody started

/** As JSON, which is parsed when the first model is looked up. */
export const providersJson = JSON.stringify(
  providers.map(({ id, pricing_urls, provider_match, model_match, fallback_model_providers }) => ({
    id,
    pricing_urls,
    provider_match,
    model_match,
    fallback_model_providers,
  })),
);

/** By provider: most runs look up models of one. */
export const modelsJson: readonly string[] = providers.map(({ models }) =>
  JSON.stringify(models.map(({ id, match, prices }) => ({ id, match, prices }))),
);
