/** The price list of a package, without what we do not use. The build evaluates this file and keeps the result. */
import { waitForUpdate } from '@pydantic/genai-prices';

const providers = (await waitForUpdate()) ?? []; // nothing is fetched: the package waits only for what somebody started

const priceList = providers.map(
  ({ id, pricing_urls, provider_match, model_match, fallback_model_providers, models }) => ({
    id,
    pricing_urls,
    provider_match,
    model_match,
    fallback_model_providers,
    models: models.map(({ id, match, prices }) => ({ id, match, prices })),
  }),
);

/** As JSON, which is parsed when the first model is looked up. */
export const priceListJson = JSON.stringify(priceList);
