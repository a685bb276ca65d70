"""Models behind a server: over HTTP, by the interfaces of vLLM, SGLang, llama.cpp and OpenAI."""
