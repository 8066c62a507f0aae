"""The base of all objects that the platform returns."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """An object of the platform: members that this version does not know are ignored."""

    model_config = ConfigDict(populate_by_name=True)
